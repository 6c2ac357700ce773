import { type Prepared, type PreparedText, preparedText } from './prepared.ts';
import { writeParameter } from './values.ts';

export interface WrittenStatement {
  readonly prepared: Prepared;
  readonly values: readonly (string | Buffer | null)[];
}

export abstract class Fragment {
  abstract write(into: StatementWriter): void;
}

export class StatementWriter {
  text = '';
  readonly #values: (string | Buffer | null)[] = [];
  readonly #types: number[] = [];
  #isTyped = false;

  add(value: unknown): void {
    if (value instanceof Fragment) value.write(this);
    else this.text += `$${this.addValue(value)}`;
  }

  addValue(value: unknown): number {
    const written = writeParameter(value);
    if (written.type !== 0) this.#isTyped = true;
    this.#types.push(written.type);
    return this.#values.push(written.value);
  }

  statement(whole: PreparedText = preparedText(this.text)): WrittenStatement {
    return { prepared: whole.of(this.#isTyped ? this.#types : undefined), values: this.#values };
  }
}

export type RowToWrite = Readonly<Record<string, unknown>>;

export class Name extends Fragment {
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override write(into: StatementWriter): void {
    into.text += quoted(this.#name);
  }
}

export class List extends Fragment {
  readonly #values: readonly string[];

  constructor(values: readonly string[]) {
    super();
    this.#values = values;
  }

  override write(into: StatementWriter): void {
    into.text += '(';
    addSeparated(into, this.#values);
    into.text += ')';
  }
}

export class RowsOfColumns extends Fragment {
  readonly #rows: readonly RowToWrite[];

  constructor(rows: readonly RowToWrite[]) {
    super();
    this.#rows = rows;
  }

  override write(into: StatementWriter): void {
    const [first = {}] = this.#rows;
    const names = Object.keys(first);
    if (/\bset\s+$/i.test(into.text)) {
      for (const [index, name] of names.entries()) {
        into.text += `${index === 0 ? '' : ', '}${quoted(name)} = `;
        into.add(first[name]);
      }
      return;
    }
    into.text += `(${names.map(quoted).join(', ')}) values `;
    for (const [index, row] of this.#rows.entries()) {
      into.text += index === 0 ? '(' : ', (';
      addSeparated(
        into,
        names.map((name) => row[name]),
      );
      into.text += ')';
    }
  }
}

function addSeparated(into: StatementWriter, values: readonly unknown[]): void {
  for (const [index, value] of values.entries()) {
    if (index > 0) into.text += ', ';
    into.add(value);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
