/**
 * Removes secrets from recordings: values under secret-looking keys (also in JSON inside a text),
 * known secrets, and texts in the shape of a secret. Booleans, null and empty texts stay. Secrets
 * are numbered in the order of their first occurrence.
 */
import { isTellingKey } from '../assertions/redact.ts';
import { findSecrets, replaceSecrets } from '../assertions/secret-shapes.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord } from '../kernel/json.ts';
import { isMark, markOf } from './redaction-marks.ts';

export class RecordingRedactor {
  readonly #numbers = new Map<string, number>();
  readonly #kinds: string[] = [];
  /** Known secrets, longest first, since one may contain another. */
  readonly #known: readonly string[];
  readonly #knownSet: ReadonlySet<string>;

  constructor(known: readonly string[]) {
    this.#known = [...new Set(known)]
      .filter((secret) => secret !== '')
      .sort((one, other) => other.length - one.length);
    this.#knownSet = new Set(this.#known);
  }

  /**
   * The kind of the secret that each redaction mark replaces, in the order of the marks' numbers.
   */
  get kinds(): readonly string[] {
    return this.#kinds;
  }

  /**
   * Redacts content: arguments, results, messages. Returns the same value if it contains no secret.
   */
  redact(value: unknown): unknown {
    return this.#copy(value, true, 0);
  }

  /**
   * Redacts descriptions, such as schemas. Values under secret-looking keys stay, since a parameter
   * named `token` is not a secret itself.
   */
  redactKnown(value: unknown): unknown {
    return this.#copy(value, false, 0);
  }

  #copy(value: unknown, byKey: boolean, depth: number): unknown {
    if (typeof value === 'string') return this.#inText(value, byKey);
    if (typeof value === 'number') {
      return this.#knownSet.has(String(value)) ? this.#mark(String(value), ofRun) : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    // A value at this depth is nested deeper than any parser of Proofmark allows.
    if (depth > deepest) return this.#mark('too deep', 'value too deep to be looked through');
    if (Array.isArray(value)) {
      const copied = value.map((one) => this.#copy(one, byKey, depth + 1));
      return copied.some((one, index) => one !== value[index]) ? copied : value;
    }
    if (!isRecord(value) || isMark(value)) return value;
    let isChanged = false;
    const entries = Object.entries(value).map(([key, inner]) => {
      const kept = this.#inText(key, false);
      const one =
        byKey && isTellingKey(key) ? this.#hide(inner) : this.#copy(inner, byKey, depth + 1);
      isChanged ||= kept !== key || one !== inner;
      return [kept, one] as const;
    });
    return isChanged ? Object.fromEntries(entries) : value;
  }

  #hide(value: unknown): unknown {
    if (value === null || value === undefined || value === '' || typeof value === 'boolean') {
      return value;
    }
    if (isMark(value)) return value;
    return this.#mark(typeof value === 'string' ? value : canonicalJson(value), underKey);
  }

  #mark(secret: string, kind: string) {
    const known = this.#numbers.get(secret);
    if (known !== undefined) return markOf(known);
    this.#kinds.push(this.#knownSet.has(secret) ? ofRun : (shapeOf(secret) ?? kind));
    this.#numbers.set(secret, this.#kinds.length);
    return markOf(this.#kinds.length);
  }

  #inText(text: string, byKey: boolean): string {
    if (byKey && text.includes('"')) {
      let kept = '';
      let at = 0;
      for (const { from, to, secret } of tellingValues(text)) {
        kept +=
          this.#withoutKnown(text.slice(at, from)) + JSON.stringify(this.#mark(secret, underKey));
        at = to;
      }
      return kept + this.#withoutKnown(at === 0 ? text : text.slice(at));
    }
    return this.#withoutKnown(text);
  }

  /** Searches only the text between inserted marks, never the marks themselves. */
  #withoutKnown(text: string): string {
    const found = this.#known.find((secret) => text.includes(secret));
    if (found === undefined) {
      return replaceSecrets(text, (secret, kind) => JSON.stringify(this.#mark(secret, kind)));
    }
    const mark = JSON.stringify(this.#mark(found, ofRun));
    return text
      .split(found)
      .map((piece) => this.#withoutKnown(piece))
      .join(mark);
  }
}

const ofRun = 'secret of this run';
const underKey = 'value of a telling name';

/** Returns the kind of secret whose shape the whole value has. */
function shapeOf(secret: string): string | undefined {
  const [found] = findSecrets(secret);
  return found?.from === 0 && found.to === secret.length ? found.kind : undefined;
}

/** A JSON key such as `"token": ` inside a text, with quotes at any level of escaping. */
const keyInText = /(\\{0,31})"([^"\\\n]{1,200})\1"\s{0,8}:\s{0,8}/g;
const deepest = 512;

function* tellingValues(text: string) {
  const keys = new RegExp(keyInText);
  for (let found = keys.exec(text); found !== null; found = keys.exec(text)) {
    const [, escapes = '', key = ''] = found;
    const from = keys.lastIndex;
    // The closing quote of a harmless key may open the next key, as in `"a":"token":…`. Such a text
    // is no valid JSON but is searched as well.
    if (!isTellingKey(key)) {
      keys.lastIndex = from - (text[from - 1] === '"' ? 1 : 0);
      continue;
    }
    const to = endOfJsonValue(text, from, escapes);
    const value = text.slice(from, to);
    keys.lastIndex = Math.max(to, from);
    if (value === '' || /^(?:null|true|false|\\*"\\*"|\{"\$redacted":\d+\})$/.test(value)) continue;
    const quote = `${escapes}"`;
    const isText = value.length >= 2 * quote.length && value.endsWith(quote);
    const secret = value.startsWith(quote)
      ? value.slice(quote.length, isText ? -quote.length : undefined)
      : value;
    yield { from, to, secret };
  }
}

/**
 * Returns the end of a JSON value that begins at `from`. The quotes of the value are escaped as
 * often as those of its key.
 */
function endOfJsonValue(text: string, from: number, escapes: string): number {
  const quote = `${escapes}"`;
  if (text.startsWith(quote, from)) return textEnd(text, from + quote.length, escapes);
  const first = text[from];
  if (first !== '{' && first !== '[') {
    const literal = /[^\s,;}\])\\"]*/y;
    literal.lastIndex = from;
    return from + (literal.exec(text)?.[0].length ?? 0);
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const one = text[at];
    if (text.startsWith(quote, at)) at = textEnd(text, at + quote.length, escapes) - 1;
    else if (one === '{' || one === '[') depth += 1;
    else if (one === '}' || one === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * Returns the position behind the closing quote. A quote inside the content has more backslashes in
 * front of it.
 */
function textEnd(text: string, from: number, escapes: string): number {
  const level = escapes.length;
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= from && text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % (2 * (level + 1)) === level) return at + 1;
  }
  return text.length;
}
