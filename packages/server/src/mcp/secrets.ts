/**
 * The values that were sent to a server and must not come back to anyone in a text that quotes it: a server may
 * echo its own credentials. Only quoted text goes through here, never a value that is in use.
 */
import type { McpTarget } from './mcp-target.ts';

export class Secrets {
  readonly #values = new Set<string>();

  constructor(address: McpTarget['address']) {
    if (address.kind === 'stdio') {
      for (const value of Object.values(address.env)) this.add(value);
      return;
    }
    for (const value of Object.values(address.headers)) {
      this.add(value);
      for (const part of value.split(/[\s,;=:]+/)) this.add(part);
    }
    if (!URL.canParse(address.url)) return;
    for (const value of new URL(address.url).searchParams.values()) this.add(value);
  }

  add(value: string): void {
    if (value.length < shortestSecret) return;
    this.#values.add(value);
    this.#values.add(encodeURIComponent(value));
    // The last tokens are the ones a server can echo; a session never holds more than a few.
    if (this.#values.size > maxValues) this.#values.delete([...this.#values][0] ?? '');
  }

  /** Text of a server, fit to be quoted: bounded, of one line, without control characters and secrets. */
  quote(text: string): string {
    let shown = text.slice(0, maxScannedLength);
    const longestFirst = [...this.#values].sort((left, right) => right.length - left.length);
    for (const value of longestFirst) shown = shown.replaceAll(value, '[hidden]');
    shown = shown.replace(unprintable, ' ').replace(/ {2,}/g, ' ').trim();
    return shown.length > maxQuotedLength ? `${shown.slice(0, maxQuotedLength - 1)}…` : shown;
  }
}

const shortestSecret = 5;
const maxValues = 200;
const maxScannedLength = 20_000;
const maxQuotedLength = 500;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
