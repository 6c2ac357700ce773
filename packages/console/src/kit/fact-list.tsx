import type { ReactNode } from 'react';

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

export function Fact(props: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
