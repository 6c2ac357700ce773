/**
 * Ids: a short prefix for the kind, then 26 characters of Crockford base 32 for 48 bits of time and
 * 80 random bits. They sort by time, so that new rows share the index pages already in memory, and
 * cannot be guessed.
 */
export const idPrefixes = {
  account: 'acc',
  apiKey: 'key',
  approval: 'apv',
  artifact: 'art',
  chatSession: 'cht',
  chatTurn: 'ctn',
  client: 'cli',
  criterion: 'crt',
  environment: 'env',
  evalCase: 'cas',
  evalIteration: 'itr',
  evalRun: 'run',
  evalSuite: 'ste',
  gateWaiver: 'wvr',
  invitation: 'inv',
  journeyRun: 'jrn',
  journey: 'jny',
  modelProvider: 'mdp',
  mutation: 'mut',
  organization: 'org',
  persona: 'per',
  plugin: 'plg',
  pluginVersion: 'plv',
  project: 'prj',
  quarantineEntry: 'qrn',
  scenario: 'scn',
  scenarioGrant: 'sgr',
  scenarioMember: 'mem',
  server: 'srv',
  serverAttachment: 'grp',
  skill: 'skl',
  skillVersion: 'skv',
  visitor: 'vis',
  visitorTurn: 'trn',
  wave: 'wav',
  window: 'win',
  swarm: 'swm',
} as const;

export type IdKind = keyof typeof idPrefixes;

export function makeId(kind: IdKind, nowMs: number, randomBytes: Uint8Array): string {
  if (randomBytes.length < 10)
    throw new RangeError('Internal fault: an id needs ten random bytes.');
  const chance = spell(fiveBytes(randomBytes, 0), 8) + spell(fiveBytes(randomBytes, 5), 8);
  return beginningOfIds(kind, nowMs) + chance;
}

/**
 * Returns the prefix that all ids of this moment share. It sorts before these ids and after the ids
 * of every earlier moment.
 */
export function beginningOfIds(kind: IdKind, nowMs: number): string {
  const time = spell(Math.max(0, Math.floor(nowMs)) % 2 ** 48, 10);
  return `${idPrefixes[kind]}_${time}`;
}

function fiveBytes(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let at = start; at < start + 5; at += 1) value = value * 256 + (bytes[at] as number);
  return value;
}

function spell(value: number, characters: number): string {
  let text = '';
  let rest = value;
  for (let position = 0; position < characters; position += 1) {
    text = (alphabet[rest % 32] as string) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
