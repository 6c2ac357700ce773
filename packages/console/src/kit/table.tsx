import type { ReactNode } from 'react';

/** A table by the names of its columns. On a phone each cell says its own, as `data-label`. */
export function Table(props: { columns: readonly string[]; children: ReactNode }) {
  return (
    <table>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}
