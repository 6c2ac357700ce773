/**
 * The template tag for statements. A value in `${}` is sent as a parameter, unless it is part of
 * the statement: another tagged text, a name, a list or a row. A tagged text is executed only when
 * it is awaited; until then it can be inserted into other tagged texts.
 */

import { type PreparedText, preparedText } from './prepared.ts';
import {
  Fragment,
  List,
  Name,
  RowsOfColumns,
  type RowToWrite,
  StatementWriter,
  type WrittenStatement,
} from './sql-fragments.ts';
import { Json, type SqlParameter } from './values.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a row holds is known to whoever wrote the statement.
export type Row = Record<string, any>;
export type Rows<Found extends readonly object[]> = Found & {
  readonly count: number;
};

export interface Sql {
  <Found extends readonly object[] = Row[]>(
    text: TemplateStringsArray,
    ...values: readonly (SqlParameter | Fragment)[]
  ): Statement<Found>;
  (name: string): Fragment;
  /** Inserts a list in brackets into the statement, for use after `in`. */
  (list: readonly string[]): Fragment;
  /** Inserts columns with their values, for `insert into` or, with a single row, for `set`. */
  (rows: object | readonly object[]): Fragment;
  json(value: unknown): Json;
  /** Runs a statement that was composed elsewhere, whose parameters are $1, $2 and so on. */
  written<Found extends readonly object[] = Row[]>(
    text: string,
    values: readonly SqlParameter[],
  ): Promise<Rows<Found>>;
  /** Runs several statements without parameters. Returns the rows of the last one. */
  unsafe<Found extends readonly object[] = Row[]>(text: string): Promise<Rows<Found>>;
}

export interface StatementTarget {
  ask(statement: WrittenStatement): Promise<Rows<Row[]>>;
  askPlain(text: string): Promise<Rows<Row[]>>;
  walk(statement: WrittenStatement, rowsAtOnce: number): AsyncIterable<Row[]>;
}

export class Statement<Found extends readonly object[]>
  extends Fragment
  implements Promise<Rows<Found>>
{
  readonly [Symbol.toStringTag] = 'Statement';
  readonly #asked: StatementTarget;
  readonly #texts: TemplateStringsArray;
  readonly #values: readonly unknown[];
  #answer: Promise<Rows<Found>> | undefined;

  constructor(asked: StatementTarget, texts: TemplateStringsArray, values: readonly unknown[]) {
    super();
    this.#asked = asked;
    this.#texts = texts;
    this.#values = values;
  }

  // biome-ignore lint/suspicious/noThenProperty: waiting for it is what asks the database.
  then<One = Rows<Found>, Other = never>(
    done?: ((rows: Rows<Found>) => One | PromiseLike<One>) | null,
    failed?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    return this.#run().then(done, failed);
  }

  catch<Other = never>(failed?: ((error: unknown) => Other | PromiseLike<Other>) | null) {
    return this.#run().catch(failed);
  }

  finally(after?: (() => void) | null): Promise<Rows<Found>> {
    return this.#run().finally(after);
  }

  /** Yields the rows in parts of this size. Works only inside a transaction. */
  cursor(rowsAtOnce: number): AsyncIterable<Found> {
    return this.#asked.walk(this.#written(), rowsAtOnce) as unknown as AsyncIterable<Found>;
  }

  override write(into: StatementWriter): void {
    for (const [index, text] of this.#texts.entries()) {
      into.text += text;
      if (index < this.#values.length) into.add(this.#values[index]);
    }
  }

  #run(): Promise<Rows<Found>> {
    this.#answer ??= this.#ask();
    return this.#answer;
  }

  async #ask(): Promise<Rows<Found>> {
    return (await this.#asked.ask(this.#written())) as unknown as Rows<Found>;
  }

  #written(): WrittenStatement {
    const whole = withoutFragments(this.#texts, this.#values);
    const writer = new StatementWriter();
    if (whole === undefined) this.write(writer);
    else for (const value of this.#values) writer.addValue(value);
    return writer.statement(whole);
  }
}

/**
 * A tagged text without inserted fragments always gives the same statement, which is composed only
 * once.
 */
const wholeTexts = new WeakMap<TemplateStringsArray, PreparedText>();

function withoutFragments(
  texts: TemplateStringsArray,
  values: readonly unknown[],
): PreparedText | undefined {
  for (const value of values) if (value instanceof Fragment) return undefined;
  let found = wholeTexts.get(texts);
  if (found === undefined) {
    found = preparedText(texts.reduce((text, next, index) => `${text}$${index}${next}`));
    wholeTexts.set(texts, found);
  }
  return found;
}

export function sqlOf(asked: StatementTarget): Sql {
  const tag = (first: unknown, ...values: readonly unknown[]) => {
    if (isTemplate(first)) return new Statement(asked, first, values);
    if (typeof first === 'string') return new Name(first);
    if (!Array.isArray(first)) return new RowsOfColumns([first as RowToWrite]);
    return typeof first[0] === 'object' ? new RowsOfColumns(first) : new List(first);
  };
  return Object.assign(tag, {
    json: (value: unknown) => new Json(value),
    written: async (text: string, values: readonly SqlParameter[]) => {
      const writer = new StatementWriter();
      for (const value of values) writer.addValue(value);
      return asked.ask(writer.statement(preparedText(text)));
    },
    unsafe: (text: string) => asked.askPlain(text),
  }) as unknown as Sql;
}

function isTemplate(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && Array.isArray((value as { raw?: unknown }).raw);
}
