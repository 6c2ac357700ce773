import type { ReactNode } from 'react';

/** A list of names and values about one thing. */
export function FactList(props: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {props.facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

/** One name and value, for lists whose entries are not fixed. */
export function Fact(props: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
