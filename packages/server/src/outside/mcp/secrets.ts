/**
 * Values that were sent to a server and must not appear in text that quotes it, since a server may
 * echo its credentials. Only quoted text is filtered, never a value in use.
 */
import { maskedPartsOf } from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';

export class Secrets {
  /** Saved values are sent with every call, so they are never dropped. */
  readonly #saved: ReadonlySet<string>;
  readonly #tokens = new Set<string>();

  constructor(address: McpTarget['address']) {
    this.#saved = new Set(savedValues(address).flatMap(formsOf));
  }

  /**
   * Adds a token that is sent now. Only the last ones are kept, since a session uses few at a time.
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
   * Returns text of a server in a form that may be quoted: bounded, on one line, without control
   * characters and secrets.
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
    // Error output is quoted by line, and a key in a variable may have several lines.
    return [...values, ...values.flatMap((value) => value.split(/[\r\n]+/))];
  }
  const headers = Object.values(address.headers);
  const parts = headers.flatMap((value) => value.split(/[\s,;=:]+/));
  return [...headers, ...parts, ...maskedPartsOf(address.url)];
}

/**
 * Returns the values of arguments with a secret name. Other arguments, for example the path of a
 * script, are often the subject of an error.
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

/** Variables that every program of the machine knows, and with which paths in errors begin. */
const openNames: ReadonlySet<string> = new Set(['HOME', 'PATH', 'PWD', 'USER', 'SHELL', 'TMPDIR']);
const secretName = /auth|credential|key|pass|pwd|secret|token/i;
const shortestSecret = 5;
const maxTokens = 200;
const maxScannedLength = 20_000;
const maxQuotedLength = 500;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
