/**
 * Secret values that were sent to a server. A server may echo them, so they are removed from
 * quotations of its texts. Values in use are never changed.
 */
import { maskedPartsOf } from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';

export class Secrets {
  /** Saved values are sent with every call, so they are never dropped, unlike older tokens. */
  readonly #saved: ReadonlySet<string>;
  readonly #tokens = new Set<string>();

  constructor(address: McpTarget['address']) {
    this.#saved = new Set(savedValues(address).flatMap(formsOf));
  }

  /**
   * Adds a token that is about to be sent. Only the latest tokens are stored, since a session uses
   * few at a time.
   */
  add(value: string): void {
    for (const form of formsOf(value)) {
      this.#tokens.delete(form);
      this.#tokens.add(form);
    }
    for (const oldest of this.#tokens) {
      if (this.#tokens.size <= maxTokens) return;
      this.#tokens.delete(oldest);
    }
  }

  /**
   * Returns a server's text in a form that is safe to quote: limited in length, on one line,
   * without control characters and secrets.
   */
  quote(text: string): string {
    let shown = text.slice(0, maxScannedLength);
    const longestFirst = [...this.#saved, ...this.#tokens].sort(
      (left, right) => right.length - left.length,
    );
    for (const value of longestFirst) shown = shown.replaceAll(value, '[hidden]');
    shown = shown.replace(unprintable, ' ').replace(/ {2,}/g, ' ').trim();
    return shown.length > maxQuotedLength ? `${shown.slice(0, maxQuotedLength - 1)}…` : shown;
  }
}

function savedValues(address: McpTarget['address']): string[] {
  if (address.kind === 'stdio') {
    const given = Object.entries(address.env).filter(([name]) => !openNames.has(name));
    const values = [...given.map(([, value]) => value), ...secretArguments(address.args)];
    // Error output is quoted line by line, but a key in a variable may have several lines, so each
    // line of a value counts as a secret too.
    return [...values, ...values.flatMap((value) => value.split(/[\r\n]+/))];
  }
  const headers = Object.values(address.headers);
  const parts = headers.flatMap((value) => value.split(/[\s,;=:]+/));
  return [...headers, ...parts, ...maskedPartsOf(address.url)];
}

/**
 * Returns the values of arguments whose names suggest a secret. Other arguments are not hidden: an
 * error is often about one of them, for example about the path of a script.
 */
function secretArguments(args: readonly string[]): string[] {
  return args.flatMap((argument, at) => {
    const [, name = '', value = args[at + 1] ?? ''] = /^-+([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    return secretName.test(name) ? [value] : [];
  });
}

function formsOf(value: string): string[] {
  return value.length < shortestSecret ? [] : [value, encodeURIComponent(value)];
}

/**
 * Variables that every program on the machine has, so they are no secret. Errors often begin with
 * their paths, which must stay readable.
 */
const openNames: ReadonlySet<string> = new Set(['HOME', 'PATH', 'PWD', 'USER', 'SHELL', 'TMPDIR']);
const secretName = /auth|credential|key|pass|pwd|secret|token/i;
const shortestSecret = 5;
const maxTokens = 200;
const maxScannedLength = 20_000;
const maxQuotedLength = 500;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
