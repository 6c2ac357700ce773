/**
 * Writes many rows into a statement from one list of columns. The list has, for each column, the
 * name, the type in PostgreSQL and how to read it from a row. The statement text depends only on
 * these names and types, so it is always the same; values travel as a parameter.
 */

import { type Cell, type Separated, separated } from './separated.ts';
import { Fragment, type StatementWriter } from './sql-fragments.ts';

export interface ColumnOfRows<Row> {
  readonly name: string;
  readonly type: keyof typeof readAs;
  of(row: Row, index: number): Cell;
}

const readAs = {
  text: (cell: string) => cell,
  integer: (cell: string) => `${cell}::integer`,
  number: (cell: string) => `${cell}::double precision`,
  boolean: (cell: string) => `${cell}::boolean`,
  /** For bytes in base64. */
  bytes: (cell: string) => `decode(${cell}, 'base64')`,
  /** For a time in milliseconds since 1970. */
  moment: (cell: string) => `to_timestamp(${cell}::double precision / 1000)`,
};

export interface ColumnsOfRows<Row> {
  readonly names: Fragment;
  /**
   * Returns the rows as an item of a `from` clause, for which the statement must give an alias.
   * Their columns have the names of the list.
   */
  of(rows: readonly Row[]): Fragment;
}

export function columnsOfRows<Row>(columns: readonly ColumnOfRows<Row>[]): ColumnsOfRows<Row> {
  const names = new FixedText(columns.map(({ name }) => name).join(', '));
  const cells = columns
    .map(({ name, type }, index) => `${readAs[type](`cell[${index + 1}]`)} as ${name}`)
    .join(', ');
  const readers = columns.map(({ of }) => of);
  return { names, of: (rows) => new TravellingRows(cells, separated(rows, readers)) };
}

class FixedText extends Fragment {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override write(into: StatementWriter): void {
    into.text += this.#text;
  }
}

class TravellingRows extends Fragment {
  readonly #cells: string;
  readonly #rows: Separated;

  constructor(cells: string, rows: Separated) {
    super();
    this.#cells = cells;
    this.#rows = rows;
  }

  override write(into: StatementWriter): void {
    const { text, rowEnd, cellEnd, absent } = this.#rows;
    into.text += `(select ${this.#cells} from string_to_table(`;
    into.add(text);
    into.text += ', ';
    into.add(rowEnd);
    into.text += ') as line, string_to_array(line, ';
    into.add(cellEnd);
    into.text += ', ';
    into.add(absent);
    into.text += ') as cell)';
  }
}
