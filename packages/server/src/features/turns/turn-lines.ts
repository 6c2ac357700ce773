/**
 * The lines of a turn that its visitor gets. They are buffered while the turn can still be refused,
 * so that a refusal becomes an error response. Secrets of servers are redacted.
 */
import { type TextPiece, textPiece, type VisitLine } from '@proofmark/domain';
import type { TraceSecrets } from '../../outside/mcp/trace-secrets.ts';

export class TurnLines {
  readonly sent: VisitLine[] = [];
  readonly #send: (line: VisitLine) => void;
  readonly #show: ((piece: TextPiece) => void) | undefined;
  readonly #secrets: TraceSecrets;
  #isOpen = false;
  /** The beginning of an unfinished answer as last sent, and the time when it was sent. */
  #piece = { text: '', atMs: Number.NEGATIVE_INFINITY };

  /** If `show` is given, it gets the answers while they are generated. */
  constructor(
    send: (line: VisitLine) => void,
    secrets: TraceSecrets,
    show?: (piece: TextPiece) => void,
  ) {
    this.#send = send;
    this.#secrets = secrets;
    this.#show = show;
  }

  /** Returns the value with redacted secrets, or the same object if it contains none. */
  redact<Value>(value: Value): Value {
    return this.#secrets.redact(value);
  }

  get showsPieces(): boolean {
    return this.#show !== undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends the buffered lines. From now on, an error is sent as a line, not as an error response.
   */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const line of this.sent) this.#send(line);
  }

  /** Adds a line. It is sent at once if `open` was called, else buffered. */
  add(line: VisitLine): void {
    const shown = this.#secrets.redact(line);
    this.sent.push(shown);
    if (this.#isOpen) this.#send(shown);
  }

  openAndAdd(line: VisitLine): void {
    this.open();
    this.add(line);
  }

  /**
   * Shows the beginning of an unfinished answer. This text is not stored as a line, because later
   * readers get the complete answer.
   */
  showSoFar(soFar: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#piece.atMs < pieceEveryMs) return;
    const text = this.#secrets.redactBeginning(soFar);
    if (text === this.#piece.text) return;
    this.open();
    this.#show?.(textPiece(this.#piece.text, text));
    this.#piece = { text, atMs: nowMs };
  }

  /** Ends the current answer, complete or not. Returns the part of it that was sent. */
  endAnswer(): string {
    const { text } = this.#piece;
    this.#piece = { text: '', atMs: Number.NEGATIVE_INFINITY };
    return text;
  }
}

/**
 * The interval between updates of an unfinished answer, in milliseconds. It is not shorter, because
 * every update searches the whole answer for secrets.
 */
const pieceEveryMs = 60;
