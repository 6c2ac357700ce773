/**
 * What a visitor is sent of a turn. Nothing goes out before something of it is certain to happen, so that a refusal until
 * then is answered as one. Secrets of servers go out to nobody.
 */
import { type TextPiece, textPiece, type VisitLine } from '@proofmark/domain';
import type { TraceSecrets } from '../../outside/mcp/trace-secrets.ts';

export class TurnLines {
  readonly sent: VisitLine[] = [];
  readonly #send: (line: VisitLine) => void;
  readonly #show: ((piece: TextPiece) => void) | undefined;
  readonly #secrets: TraceSecrets;
  #isOpen = false;
  /** What was shown of an answer that goes on, and when. */
  #piece = { text: '', atMs: Number.NEGATIVE_INFINITY };

  /** With somebody to `show` them to, answers are told while they go on. */
  constructor(
    send: (line: VisitLine) => void,
    secrets: TraceSecrets,
    show?: (piece: TextPiece) => void,
  ) {
    this.#send = send;
    this.#secrets = secrets;
    this.#show = show;
  }

  /** Without secrets; the value itself where it holds none. */
  redact<Value>(value: Value): Value {
    return this.#secrets.redact(value);
  }

  get showsPieces(): boolean {
    return this.#show !== undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** From now on it is no refusal any more. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const line of this.sent) this.#send(line);
  }

  /** Waits until the lines are open. */
  note(line: VisitLine): void {
    const shown = this.#secrets.redact(line);
    this.sent.push(shown);
    if (this.#isOpen) this.#send(shown);
  }

  say(line: VisitLine): void {
    this.open();
    this.note(line);
  }

  /** Shows an answer while it goes on. It is no line yet: whoever comes later finds the whole. */
  saying(soFar: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#piece.atMs < pieceEveryMs) return;
    const text = this.#secrets.redactBeginning(soFar);
    if (text === this.#piece.text) return;
    this.open();
    this.#show?.(textPiece(this.#piece.text, text));
    this.#piece = { text, atMs: nowMs };
  }

  /** The answer is whole, or will not be: what was shown of it until then. */
  said(): string {
    const { text } = this.#piece;
    this.#piece = { text: '', atMs: Number.NEGATIVE_INFINITY };
    return text;
  }
}

/** Faster than one reads; each time all of the answer is looked through for secrets. */
const pieceEveryMs = 60;
