/**
 * Hides secrets and shortens values in reasons and in echoed assertions, which are stored and shown
 * to people. A value is hidden if its field name looks secret.
 */
import { replaceSecrets, secretWords } from './secret-shapes.ts';

export const redactionLimits = {
  depth: 6,
  arrayItems: 20,
  shownItems: 3,
  valueLength: 200,
  errorLength: 200,
  reasonLength: 600,
  /** Maximum number of values to copy. It limits the time for a wide and deep value. */
  nodes: 2000,
} as const;

const secretKey = new RegExp(secretWords, 'i');
const quotedOrWord = [
  String.raw`\\?"(?:[^"\\]|\\.)*"?`,
  String.raw`\\?'(?:[^'\\]|\\.)*'?`,
  String.raw`(?:(?:bearer|basic)\s{1,4})?[^\s"',;&}]+`,
].join('|');
/** Words that may follow the name of a secret, as in `Incorrect API key provided: …`. */
const wordsBetween = String.raw`(?:\s{1,4}(?:provided|given|supplied|sent|received|used|header|value|is|was|of)){0,3}`;
/**
 * Finds `password=…` or `"token": "…"` inside a longer text. The pattern below finds `Bearer …`.
 */
const secretInText = new RegExp(
  String.raw`((?:${secretWords})[\w-]{0,32}${wordsBetween}\\?["']?\s{0,4}[:=]\s{0,4})(?:${quotedOrWord})`,
  'gi',
);
const bearerInText = /\b(bearer|basic)\s{1,4}[\w.~+/=-]{6,}/gi;
const hidden = '[redacted]';

export function isTellingKey(key: string): boolean {
  return secretKey.test(key);
}

export function redactValue(value: unknown): unknown {
  return copyBounded(value, 0, { nodes: redactionLimits.nodes });
}

/**
 * Returns a copy of the value without secrets. Nothing is shortened, except nesting deeper than
 * `deepest`.
 */
export function hideSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return hideInText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[…]';
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      hideInText(key),
      isTellingKey(key) ? hidden : hideSecrets(inner, depth + 1),
    ]),
  );
}

const deepest = 32;

export function showValue(value: unknown): string {
  return capText(JSON.stringify(redactValue(value)) ?? 'nothing', redactionLimits.valueLength);
}

/**
 * Hides the value if a name in its JSON pointer looks secret. In the whole value, this name would
 * hide the value too.
 */
export function showValueAt(pointer: string, value: unknown): string {
  return isTellingKey(pointer) ? showValue(hidden) : showValue(value);
}

export function showItems(items: readonly unknown[]): string {
  const shown = items.slice(0, redactionLimits.shownItems).map(showValue).join(', ');
  const others = items.length - redactionLimits.shownItems;
  return others > 0 ? `${shown} and ${others} more` : shown;
}

export function showError(error: unknown): string {
  return capText(redactText(errorText(error)), redactionLimits.errorLength);
}

export function capReason(reason: string): string {
  return capText(reason, redactionLimits.reasonLength);
}

export function capText(text: string, maxLength: number): string {
  const whole = text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
  return whole.replaceAll('\u0000', '\ufffd').toWellFormed();
}

function redactText(text: string): string {
  // Only the part before the cut is searched for secrets, because the rest is never shown.
  return hideInText(text.slice(0, redactionLimits.reasonLength));
}

function hideInText(text: string): string {
  const named = text.replace(secretInText, `$1${hidden}`).replace(bearerInText, `$1 ${hidden}`);
  return replaceSecrets(named, () => hidden);
}

function errorText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'an error without a message';
  }
}

function copyBounded(value: unknown, depth: number, budget: { nodes: number }): unknown {
  budget.nodes -= 1;
  if (typeof value === 'string') return capText(redactText(value), redactionLimits.valueLength);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (depth >= redactionLimits.depth || budget.nodes <= 0) return '[…]';
  try {
    if (Array.isArray(value)) {
      const items = value.slice(0, redactionLimits.arrayItems);
      const copied = items.map((item) => copyBounded(item, depth + 1, budget));
      return value.length > items.length ? [...copied, '[…]'] : copied;
    }
    return copyObject(value, depth, budget);
  } catch {
    return '[unreadable]';
  }
}

function copyObject(value: object, depth: number, budget: { nodes: number }): unknown {
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (budget.nodes <= 0) {
      entries.push(['…', '[…]']);
      break;
    }
    const shownKey = capText(redactText(key), redactionLimits.valueLength);
    entries.push([shownKey, isTellingKey(key) ? hidden : copyBounded(inner, depth + 1, budget)]);
  }
  return Object.fromEntries(entries);
}
