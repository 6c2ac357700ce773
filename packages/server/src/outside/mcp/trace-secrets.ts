/**
 * What is sent to the servers of a run and must not be kept in its trace, because a tool may echo it. What is kept goes
 * through here as a copy; what the model, the assertions and the servers are given stays as it is. Traces are evidence, so
 * only what looks like a secret is looked for: a header that says which region it is about hides no word of an answer.
 */
import { maskedPartsOf } from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';

/** Stands where a secret stood. */
export const hiddenMark = '[hidden]';

export class TraceSecrets {
  /** The longest first, since one may be a part of another. */
  #forms: readonly string[] = [];

  addTarget({ address }: Pick<McpTarget, 'address'>): void {
    const named = Object.entries(address.kind === 'stdio' ? address.env : address.headers);
    const inUrl = address.kind === 'stdio' ? [] : maskedPartsOf(address.url);
    this.#add([...named.flatMap(([name, value]) => secretsIn(name, value)), ...inUrl]);
  }

  /** A token or a key, which is a secret whatever it looks like. */
  add(value: string): void {
    this.#add([value]);
  }

  /** All that is looked for, as it may be written. */
  get forms(): readonly string[] {
    return this.#forms;
  }

  /** The record itself where it holds none. */
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

  /** Of a text that goes on: as much of it as no secret can reach into any more. */
  redactBeginning(text: string): string {
    // One that has begun and not ended begins after this.
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

  /** Of a record whose words decide: only texts under these names quote somebody, and nothing else is touched. */
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
        // Names of our own are words too.
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
  // A word that is merely a part, as in "tour=completed", would hide the same word wherever it is said.
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

/** As it was sent, and as tools write it when they pass it on. */
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
