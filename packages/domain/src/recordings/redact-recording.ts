/**
 * Takes secrets out of what is kept: all that stands under a telling key, also in JSON inside a text, every value that is
 * known to be one, and what has the shape of one, wherever it stands. What says only yes, no or nothing tells no secret. Each distinct secret has a
 * number, counted as they are met.
 */
import { isTellingKey } from '../assertions/redact.ts';
import { findSecrets, replaceSecrets } from '../assertions/secret-shapes.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord } from '../kernel/json.ts';
import { endOfJsonValue } from './end-of-json-value.ts';
import { isMark, markOf } from './redaction-marks.ts';

export class RecordingRedactor {
  readonly #numbers = new Map<string, number>();
  readonly #kinds: string[] = [];
  /** The longest first, since one may be a part of another. */
  readonly #known: readonly string[];
  readonly #knownSet: ReadonlySet<string>;

  constructor(known: readonly string[]) {
    this.#known = [...new Set(known)]
      .filter((secret) => secret !== '')
      .sort((one, other) => other.length - one.length);
    this.#knownSet = new Set(this.#known);
  }

  /** What stood at each mark, in the order of their numbers. */
  get kinds(): readonly string[] {
    return this.#kinds;
  }

  /** Of what somebody said: arguments, results, messages. The value itself where it holds none. */
  redact(value: unknown): unknown {
    return this.#copy(value, true, 0);
  }

  /** Of what describes values, as schemas do: a parameter that is called token holds none. */
  redactKnown(value: unknown): unknown {
    return this.#copy(value, false, 0);
  }

  #copy(value: unknown, byKey: boolean, depth: number): unknown {
    if (typeof value === 'string') return this.#inText(value, byKey);
    if (typeof value === 'number') {
      return this.#knownSet.has(String(value)) ? this.#mark(String(value), ofRun) : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    // Deeper than any parser of ours goes.
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

  /** Piece by piece, so that nothing is looked for in what was put there. */
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

/** Of a value that is a secret as a whole. */
function shapeOf(secret: string): string | undefined {
  const [found] = findSecrets(secret);
  return found?.from === 0 && found.to === secret.length ? found.kind : undefined;
}

/** `"token": …` inside a text, with the quotes escaped as often as they are. */
const keyInText = /(\\{0,31})"([^"\\\n]{1,200})\1"\s{0,8}:\s{0,8}/g;
const deepest = 512;

function* tellingValues(text: string) {
  const keys = new RegExp(keyInText);
  for (let found = keys.exec(text); found !== null; found = keys.exec(text)) {
    const [, escapes = '', key = ''] = found;
    const from = keys.lastIndex;
    // What was no key may be where one begins: `"a":"token":…` is no JSON, and is looked through all the same.
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
