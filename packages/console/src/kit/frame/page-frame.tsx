/**
 * The frame of every page: tab title, breadcrumbs and heading. After a change of page the heading
 * gets the focus, so that a screen reader reads it and Tab starts there.
 */
import { type ReactNode, useEffect, useRef } from 'react';

export function PageFrame(props: {
  title: string;
  heading?: ReactNode;
  /** Sections that several pages share. They come first, so that they stand at the same height. */
  above?: ReactNode;
  crumbs?: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  width?: 'slim';
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${props.title} · Proofmark`;
  }, [props.title]);
  useEffect(() => {
    const busyElsewhere = document.activeElement?.matches('input, select, textarea, dialog *');
    if (!firstPage && !busyElsewhere) heading.current?.focus({ preventScroll: true });
    firstPage = false;
  }, []);
  return (
    <div className={`page ${props.width ?? ''}`}>
      {props.above}
      {props.crumbs !== undefined && (
        <nav className="crumbs" aria-label="Where you are">
          {props.crumbs}
        </nav>
      )}
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {props.heading ?? props.title}
        </h1>
        {props.actions !== undefined && <div className="actions">{props.actions}</div>}
      </div>
      {props.intro !== undefined && <p className="intro">{props.intro}</p>}
      {props.children}
    </div>
  );
}

/** Whether no page was shown yet. The first page does not take the focus. */
let firstPage = true;
