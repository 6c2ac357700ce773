/**
 * What a visitor is sent of a turn. Nothing goes out before something of it is certain to happen, so that a refusal until
 * then is answered as one. Secrets of servers go out to nobody.
 */
import type { VisitLine } from '@proofmark/domain';
import type { TraceSecrets } from '../mcp/trace-secrets.ts';

export class TurnLines {
  readonly sent: VisitLine[] = [];
  readonly #send: (line: VisitLine) => void;
  readonly #secrets: TraceSecrets;
  #isOpen = false;

  constructor(send: (line: VisitLine) => void, secrets: TraceSecrets) {
    this.#send = send;
    this.#secrets = secrets;
  }

  /** Without secrets; the value itself where it holds none. */
  redact<Value>(value: Value): Value {
    return this.#secrets.redact(value);
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
}
