/**
 * One or more statements that are sent to PostgreSQL together and answered in order, in one round
 * trip. If one fails, PostgreSQL skips the statements after it, so these fail too. A statement that
 * the connection has already prepared is neither sent as text nor described again. The driver calls
 * the methods whose names begin with `handle`.
 */
import pg from 'pg';
import { DatabaseAway } from './database-away.ts';
import type { Prepared } from './prepared.ts';
import type { Row, Rows } from './sql.ts';
import type { WrittenStatement } from './sql-fragments.ts';
import { type Column, columnOf } from './values.ts';

export interface Question {
  /** A string may contain several statements without parameters. It is sent on its own. */
  readonly statement: WrittenStatement | string;
  readonly part?: Part;
  readonly deadlineMs: number;
  answered(answer: StatementAnswer): void;
  failed(error: unknown): void;
}

export interface Part {
  readonly portal: string;
  readonly rows: number;
  readonly isFirst: boolean;
}

export interface StatementAnswer {
  readonly rows: Rows<Row[]>;
  /** False if more rows may follow the requested part. */
  readonly isWhole: boolean;
}

/**
 * The statements that a connection has prepared. The columns of a statement are undefined until its
 * first answer.
 */
export type Known = Map<Prepared, readonly Column[] | undefined>;

export class StatementExchange implements pg.Submittable {
  readonly #questions: readonly Question[];
  readonly #known: Known;
  readonly #waitFor: (next: Question | undefined) => void;
  readonly #lost: () => void;
  readonly #parsing: Prepared[] = [];
  #at = 0;
  #columns: readonly Column[] | undefined;
  #rows: Row[] = [];
  #count = 0;
  #isOver = false;

  /**
   * `waitFor` is called with the question whose answer is due next, and with undefined after the
   * last answer. If the connection is lost, `lost` is called before `waitFor(undefined)`.
   */
  constructor(
    questions: readonly Question[],
    known: Known,
    waitFor: (next: Question | undefined) => void,
    lost: () => void,
  ) {
    this.#lost = lost;
    this.#questions = questions;
    this.#known = known;
    this.#waitFor = waitFor;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as Wire;
    wire.stream.cork();
    let isPlain = false;
    for (const { statement, part } of this.#questions) {
      isPlain = typeof statement === 'string';
      if (typeof statement === 'string') wire.query(statement);
      else this.#send(wire, statement, part);
    }
    if (!isPlain) wire.sync();
    wire.stream.uncork();
    this.#begin();
  }

  handleParsed(): void {
    const prepared = this.#parsing.shift();
    if (prepared !== undefined) this.#known.set(prepared, undefined);
  }

  handleRowDescription({ fields }: { fields: Parameters<typeof columnOf>[0][] }): void {
    this.#columns = fields.map(columnOf);
    this.#rows = [];
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns ?? [];
    const row: Row = {};
    for (let index = 0; index < columns.length; index += 1) {
      const { name, read } = columns[index] as Column;
      const text = fields[index] as string | null;
      row[name] = text === null || read === undefined ? text : read(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    // If one text contains several statements, the rows of the last statement are the answer. Which
    // statement is the last is known only at the end.
    if (typeof this.#questions[this.#at]?.statement !== 'string') this.#answer(true);
  }

  handlePortalSuspended(): void {
    this.#count = this.#rows.length;
    this.#answer(false);
  }

  handleEmptyQuery(): void {
    this.#count = 0;
    if (typeof this.#questions[this.#at]?.statement !== 'string') this.#answer(true);
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#questions.length) this.#answer(true);
    this.#isOver = true;
    this.#waitFor(undefined);
  }

  /** Called when PostgreSQL rejects the current statement, or when the connection is lost. */
  handleError(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const isRefusal = error instanceof pg.DatabaseError && !endsConnection(error);
    if (!isRefusal) this.#lost();
    const failure = (error as { code?: unknown }).code === undefined ? closed(error) : error;
    const [first, ...skipped] = this.#questions.slice(this.#at);
    first?.failed(failure);
    for (const question of skipped) question.failed(isRefusal ? new StatementSkipped() : failure);
    this.#waitFor(undefined);
  }

  #send(wire: Wire, { prepared, values }: WrittenStatement, part: Part | undefined): void {
    const portal = part?.portal ?? '';
    if (!this.#known.has(prepared) && !this.#parsing.includes(prepared)) {
      wire.parse(prepared);
      this.#parsing.push(prepared);
    }
    if (part?.isFirst !== false) wire.bind({ portal, statement: prepared.name, values });
    if (this.#known.get(prepared) === undefined) wire.describe({ type: 'P', name: portal });
    wire.execute({ portal, rows: part?.rows ?? 0 });
  }

  #begin(): void {
    const next = this.#questions[this.#at];
    if (next === undefined) return;
    const { statement } = next;
    this.#columns = typeof statement === 'string' ? undefined : this.#known.get(statement.prepared);
    this.#rows = [];
    this.#waitFor(next);
  }

  #answer(isWhole: boolean): void {
    const { statement, answered } = this.#questions[this.#at] as Question;
    if (typeof statement !== 'string') this.#known.set(statement.prepared, this.#columns ?? []);
    // `count` is not enumerable, so that comparing or spreading the rows ignores it.
    const rows = Object.defineProperty(this.#rows, 'count', { value: this.#count });
    this.#at += 1;
    this.#begin();
    answered({ rows: rows as Rows<Row[]>, isWhole });
  }
}

/**
 * Returns whether PostgreSQL ends the connection after this error, because it is stopping, an
 * operator ended the connection, or a timeout passed.
 */
function endsConnection({ code = '', severity }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC' || /^(57P0[1-5]|25P03|08)/.test(code);
}

function closed(cause: unknown): DatabaseAway {
  return new DatabaseAway('CONNECTION_CLOSED', 'The connection to PostgreSQL ended.', cause);
}

/**
 * The error of each statement that follows a failed one, with the code that PostgreSQL uses in an
 * aborted transaction.
 */
class StatementSkipped extends Error {
  readonly code = '25P02';

  constructor() {
    super('A statement before this one failed.');
  }
}

type Wire = pg.Connection & {
  query(text: string): void;
  parse(statement: Prepared): void;
  bind(bound: { portal: string; statement: string; values: WrittenStatement['values'] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: { portal: string; rows: number }): void;
  sync(): void;
};
