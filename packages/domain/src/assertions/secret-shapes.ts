/**
 * Finds secrets by their shape, anywhere in a text: tokens of well-known issuers, PEM keys,
 * credentials after `Bearer`, passwords in URLs, and values under names that look secret. The
 * shapes are strict, because a false match hides ordinary text from readers and comparisons.
 */

/** Names that mark the value next to them as a secret. */
export const secretWords =
  'authorization|bearer|password|secret|token|api[-_. ]?key|cookie|credential|private[-_. ]?key';

export interface SecretInText {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

type Shape = readonly [kind: string, pattern: string];

/**
 * Tokens whose first letters are fixed by their issuer. Most are also found directly after another
 * letter or digit, such as the `0` of `%20` in a URL.
 */
const tokens: readonly Shape[] = [
  ['GitHub token', String.raw`(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255})`],
  ['GitLab token', String.raw`gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas|imt)-[\w-]{20,255}`],
  ['Slack token', String.raw`(?:xox[abceoprs]|xapp)-[\w-]{10,255}`],
  ['AWS access key', '(?:AKIA|ASIA|AROA|AIDA|AGPA)[A-Z0-9]{16}'],
  ['Google key', String.raw`(?:AIza[\w-]{35}|ya29\.[\w-]{20,512}|GOCSPX-[\w-]{20,64})`],
  [
    'Stripe key',
    String.raw`(?:(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[\w+/=]{20,255})`,
  ],
  ['model key', String.raw`(?<![A-Za-z])sk-(?=[\w-]{0,255}\d)[\w-]{20,255}`],
  ['npm token', String.raw`npm_[A-Za-z0-9]{30,64}\b`],
  ['PyPI token', String.raw`pypi-[\w-]{50,512}`],
  ['Hugging Face token', String.raw`hf_[A-Za-z0-9]{30,64}\b`],
  ['SendGrid key', String.raw`SG\.[\w-]{16,64}\.[\w-]{16,128}`],
  ['DigitalOcean token', 'do[opr]_v1_[a-f0-9]{64}'],
  ['Shopify token', 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}'],
  ['Twilio key', String.raw`\b(?:SK|AC)[0-9a-f]{32}\b`],
  ['Telegram token', String.raw`\b\d{8,10}:AA[\w-]{33}`],
  ['Linear key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,128}'],
  ['Atlassian token', String.raw`ATATT3[\w=-]{20,512}`],
  ['Databricks token', String.raw`\bdapi[a-f0-9]{32}\b`],
  ['Azure storage key', String.raw`\bAccountKey=(?<azure>[A-Za-z0-9+/]{40,128}={0,2})`],
  // The lookbehind skips an `eyJ` shortly after another `eyJ` in the same word. Without it, a text
  // of many `eyJ` would take quadratic time.
  ['JSON Web Token', String.raw`eyJ(?<!eyJ[\w-]{0,100}eyJ)[\w-]{8,8192}\.eyJ[\w-]{8,}\.[\w-]*`],
  [
    'private key',
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)',
  ],
  ['password in an address', String.raw`:\/\/[^\s:@/"'\\]{0,128}:(?<address>[^\s@/"'\\{]{1,256})@`],
];

/**
 * At least 8 characters with a digit and a letter, so that a word or a number alone is not taken
 * for a secret.
 */
const mixed = String.raw`(?=[^\s"'\\,;&}{]{0,255}\d)(?=[^\s"'\\,;&}{]{0,255}[a-z])[^\s"'\\,;&}{]{8,4096}`;

/** Secrets recognized by the word before them, without regard to case. */
const named: readonly Shape[] = [
  ['credential', String.raw`\b(?:bearer|basic)\s{1,4}(?<bearer>${mixed})`],
  [
    'value of a telling name',
    String.raw`(?:${secretWords})[\w-]{0,32}\\?["']?\s{0,4}[:=]\s{0,4}(?:(?:bearer|basic)\s{1,4})?\\?["']?(?<value>${mixed})`,
  ],
];

/**
 * Of overlapping secrets, only the first is returned. If several begin at the same position, the
 * longest is returned.
 */
export function findSecrets(text: string): readonly SecretInText[] {
  if (text.length < shortest) return [];
  const found = [...matches(text, tokens, tokenPattern), ...matches(text, named, namedPattern)];
  if (found.length < 2) return found;
  found.sort((one, other) => one.from - other.from || other.to - one.to);
  let end = 0;
  return found.filter(({ from, to }) => {
    const isApart = from >= end;
    if (isApart) end = to;
    return isApart;
  });
}

export function replaceSecrets(
  text: string,
  mark: (secret: string, kind: string) => string,
): string {
  let shown = '';
  let at = 0;
  for (const { kind, from, to } of findSecrets(text)) {
    shown += text.slice(at, from) + mark(text.slice(from, to), kind);
    at = to;
  }
  return at === 0 ? text : shown + text.slice(at);
}

function matches(text: string, shapes: readonly Shape[], pattern: RegExp): SecretInText[] {
  return [...text.matchAll(pattern)].flatMap(({ indices }) => {
    const at = shapes.findIndex((_, index) => indices?.groups?.[`shape${index}`] !== undefined);
    const inner = Object.entries(indices?.groups ?? {}).find(
      ([name, place]) => place !== undefined && !name.startsWith('shape'),
    );
    const [from, to] = inner?.[1] ?? indices?.[0] ?? [0, 0];
    const kind = shapes[at]?.[0];
    return kind === undefined || from === to ? [] : [{ kind, from, to }];
  });
}

function patternOf(shapes: readonly Shape[], flags: string): RegExp {
  return new RegExp(shapes.map(([, one], at) => `(?<shape${at}>${one})`).join('|'), flags);
}

const tokenPattern = patternOf(tokens, 'gd');
const namedPattern = patternOf(named, 'gid');
const shortest = 8;
