/**
 * Many rows on their way into a statement, from one list of their columns. The list says of each column its name, how it is
 * read in PostgreSQL and where it stands in a row; all else is derived from it. What is written of the list
 * into statements is the same every time; only names and types stand in it, and whatever a row holds travels as a
 * parameter.
 */

import { type Cell, type Separated, separated } from './separated.ts';
import { Fragment, type StatementWriter } from './sql-fragments.ts';

export interface ColumnOfRows<Row> {
  readonly name: string;
  readonly type: keyof typeof readAs;
  /** The index is that of the row among those that travel together. */
  of(row: Row, index: number): Cell;
}

/** How a cell is read, which is a text in PostgreSQL. */
const readAs = {
  text: (cell: string) => cell,
  integer: (cell: string) => `${cell}::integer`,
  number: (cell: string) => `${cell}::double precision`,
  boolean: (cell: string) => `${cell}::boolean`,
  /** Bytes, told in base64. */
  bytes: (cell: string) => `decode(${cell}, 'base64')`,
  /** A moment, told in milliseconds. */
  moment: (cell: string) => `to_timestamp(${cell}::double precision / 1000)`,
};

export interface ColumnsOfRows<Row> {
  /** The names, for `insert into` and `select`. */
  readonly names: Fragment;
  /** The rows, for `from`, where they need a name: their columns have the names of the list. */
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
