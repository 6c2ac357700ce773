/**
 * Secrets that are sent to the servers of a run and must not be stored in its trace, since a tool
 * may echo them. Only the stored copy is redacted; the model, the assertions and the servers get
 * the original. A trace is evidence, so only values that look like secrets are redacted: the value
 * of a header that names a region, for example, stays readable.
 */
import { maskedPartsOf } from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';

export const hiddenMark = '[hidden]';

export class TraceSecrets {
  /**
   * Sorted from longest to shortest. One encoding of a secret may be a part of another, so the
   * longer one must be replaced first.
   */
  #forms: readonly string[] = [];

  addTarget({ address }: Pick<McpTarget, 'address'>): void {
    const named = Object.entries(address.kind === 'stdio' ? address.env : address.headers);
    const inUrl = address.kind === 'stdio' ? [] : maskedPartsOf(address.url);
    this.#add([...named.flatMap(([name, value]) => secretsIn(name, value)), ...inUrl]);
  }

  /** Adds a token or key. It is redacted even if it does not look like a secret. */
  add(value: string): void {
    this.#add([value]);
  }

  /** All secrets to redact, in each of their encodings. */
  get forms(): readonly string[] {
    return this.#forms;
  }

  /** Returns a redacted copy, or the record itself if it has no secret. */
  redact<Kept>(record: Kept): Kept {
    if (this.#forms.length === 0) return record;
    const text = JSON.stringify(record);
    return this.#forms.some((form) => text.includes(form)) ? (this.#copy(record) as Kept) : record;
  }

  redactText(text: string): string {
    let shown = text;
    for (const form of this.#forms) shown = shown.replaceAll(form, hiddenMark);
    return shown;
  }

  /**
   * Redacts a text of which only the beginning has arrived. The result ends before any position
   * where an incomplete secret could begin.
   */
  redactBeginning(text: string): string {
    // A secret whose end has not arrived can begin only after this position.
    let end = Math.max(0, text.length + 1 - (this.#forms[0]?.length ?? 1));
    for (let before = -1; before !== end; ) {
      before = end;
      for (const form of this.#forms) {
        const at = text.indexOf(form, Math.max(0, end - form.length + 1));
        if (at !== -1 && at < end) end = at;
      }
    }
    return this.redactText(text.slice(0, end));
  }

  /**
   * Redacts only the texts under the given field names, which quote a server. All other texts are
   * our own and stay as they are.
   */
  redactQuotes<Kept>(record: Kept, names: ReadonlySet<string>): Kept {
    const copy = (value: unknown, isQuote: boolean): unknown => {
      if (typeof value === 'string') return isQuote ? this.redactText(value) : value;
      if (Array.isArray(value)) return value.map((entry) => copy(entry, isQuote));
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value);
      return Object.fromEntries(entries.map(([name, one]) => [name, copy(one, names.has(name))]));
    };
    return this.#forms.length === 0 ? record : (copy(record, false) as Kept);
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.redactText(value);
    if (Array.isArray(value)) return value.map((entry) => this.#copy(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [
        // A field name that is a plain word may belong to Proofmark, so it is not redacted.
        isWord(name) ? name : this.redactText(name),
        this.#copy(entry),
      ]),
    );
  }

  #add(values: readonly string[]): void {
    const found = values.filter((value) => value.length >= shortestSecret).flatMap(formsOf);
    const known = new Set([...this.#forms, ...found]);
    if (known.size === this.#forms.length) return;
    this.#forms = [...known].sort((one, other) => other.length - one.length);
  }
}

function secretsIn(name: string, value: string): string[] {
  const pieces = [...value.split(/[\s,;]+/), ...value.split(/[\s,;=:]+/)];
  // A plain word inside a value, as in "tour=completed", is not treated as a secret. Redacting it
  // would hide the word in the whole trace.
  const parts = [value, ...pieces.filter((piece) => !isWord(piece))];
  const [, scheme = '', credential] = /^([\w-]+)\s+(\S+)$/.exec(value) ?? [];
  if (credential !== undefined) parts.push(credential);
  if (credential !== undefined && scheme.toLowerCase() === 'basic') {
    const [, ...password] = Buffer.from(credential, 'base64').toString().split(':');
    parts.push(password.join(':'));
  }
  const isNamed = secretName.test(name);
  return parts.filter((part) => isNamed || (part.length >= shortestUnnamed && isMixed(part)));
}

/**
 * Returns the secret itself and its encodings (such as base64), because tools may repeat it
 * encoded.
 */
function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  return [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
}

function isMixed(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value) && !/[\s/]/.test(value);
}

function isWord(text: string): boolean {
  return text.length < shortestRandom && /^[\p{L}_-]+$/u.test(text);
}

const secretName = /auth|cookie|credential|key|pass|pwd|secret|session|signature|token/i;
const shortestSecret = 8;
const shortestUnnamed = 12;
const shortestRandom = 20;
