/**
 * One part of a long page, under its own heading. Inside `FoldedParts` it is closed until it is
 * asked for, at most one is open, and its content scrolls, so that the page stays short.
 */
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Scrolling } from './scrolling.tsx';

const Folded = createContext(false);

export function FoldedParts(props: { isFolded: boolean; children: ReactNode }) {
  return <Folded value={props.isFolded}>{props.children}</Folded>;
}

export function PagePart(props: {
  id: string;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { id, title, actions, children } = props;
  const isFolded = useContext(Folded);
  const [isOpen, setIsOpen] = useState(false);
  if (isFolded) {
    return (
      <details
        className="page-part"
        name="page-parts"
        onToggle={({ target, currentTarget }) => {
          if (target === currentTarget) setIsOpen(currentTarget.open);
        }}
      >
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        {isOpen && (
          <Scrolling as="section" label={title} className="page-part-body">
            {actions}
            {children}
          </Scrolling>
        )}
      </details>
    );
  }
  return (
    <section aria-labelledby={id}>
      {actions === undefined ? (
        <h2 id={id}>{title}</h2>
      ) : (
        <div className="section-head">
          <h2 id={id}>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
