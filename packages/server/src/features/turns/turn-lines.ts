/**
 * The lines that a visitor gets of a turn. No line is sent before some content is certain, so that
 * an earlier refusal is answered as one. Secrets of servers are never sent.
 */
import { type TextPiece, textPiece, type VisitLine } from '@proofmark/domain';
import type { TraceSecrets } from '../../outside/mcp/trace-secrets.ts';

export class TurnLines {
  readonly sent: VisitLine[] = [];
  readonly #send: (line: VisitLine) => void;
  readonly #show: ((piece: TextPiece) => void) | undefined;
  readonly #secrets: TraceSecrets;
  #isOpen = false;
  /** The shown part of an unfinished answer, and the time of its last update. */
  #piece = { text: '', atMs: Number.NEGATIVE_INFINITY };

  /** With `show`, answers are streamed while they are generated. */
  constructor(
    send: (line: VisitLine) => void,
    secrets: TraceSecrets,
    show?: (piece: TextPiece) => void,
  ) {
    this.#send = send;
    this.#secrets = secrets;
    this.#show = show;
  }

  /** Returns the value without secrets, or the value itself if it contains none. */
  redact<Value>(value: Value): Value {
    return this.#secrets.redact(value);
  }

  get showsPieces(): boolean {
    return this.#show !== undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** From now on, an error is no refusal any more. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const line of this.sent) this.#send(line);
  }

  /** Buffered until the lines are open. */
  note(line: VisitLine): void {
    const shown = this.#secrets.redact(line);
    this.sent.push(shown);
    if (this.#isOpen) this.#send(shown);
  }

  say(line: VisitLine): void {
    this.open();
    this.note(line);
  }

  /**
   * Shows an unfinished answer. It is not stored as a line: a later reader gets the complete
   * answer.
   */
  saying(soFar: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#piece.atMs < pieceEveryMs) return;
    const text = this.#secrets.redactBeginning(soFar);
    if (text === this.#piece.text) return;
    this.open();
    this.#show?.(textPiece(this.#piece.text, text));
    this.#piece = { text, atMs: nowMs };
  }

  /** Ends the answer, complete or not. Returns the part that was shown. */
  said(): string {
    const { text } = this.#piece;
    this.#piece = { text: '', atMs: Number.NEGATIVE_INFINITY };
    return text;
  }
}

/** Faster than people read. Each update searches the whole answer for secrets. */
const pieceEveryMs = 60;
