/**
 * Selects the suite files to test: the named files, or else all suite files in this folder.
 * Extracts the values that are needed before a file is sent to the service.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { draftedPromptsIn, isRecord, SuiteServer, type ThingToTrust } from '@proofmark/domain';
import { readDataFiles, type SuiteFileToSend } from '../../data-files/read-data-files.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { readGivenFile } from '../../remote/read-given-file.ts';
import { isOutsideFolder } from '../../trust/is-outside-folder.ts';
import { requireTrust, type TrustFlags } from '../../trust/require-trust.ts';
import { scorersOfSuite } from '../../trust/scorers-of-suite.ts';

export interface SuiteToTest {
  readonly file: string;
  /** Empty if the file has no id. The service then rejects the file. */
  readonly id: string;
  /** Case ids in the file, without the ids of data rows. */
  readonly caseIds: readonly string[];
  readonly content: string;
  readonly toSend: SuiteFileToSend;
  readonly servers: readonly string[];
  /** Servers for which the file has an address or a command. */
  readonly reachable: readonly SuiteServer[];
  /** Mistakes in the entries of servers that have an address or a command. */
  readonly misstated: readonly string[];
  /** Whether the file itself selects saved servers or an environment. */
  readonly hasTarget: boolean;
  readonly hasEnvironment: boolean;
  readonly needsModel: boolean;
  /** Prompts drafted by `init` that are still unedited. */
  readonly draftedPrompts: readonly string[];
  /** Addresses of the suite's scorers. A scorer receives data of the suite's trials. */
  readonly scorers: readonly ThingToTrust[];
}

export function suiteFilesOf(named: readonly string[]): readonly string[] {
  const found = suiteFilesHere(named);
  if (found.length > 0) return found;
  throw new UsageProblem(
    'There is no suite here: name a file, or write a first one with `proofmark init --server-command "node server.js"`. Without a name, the command uses *.suite.yaml and proofmark/*.yaml.',
  );
}

/** Returns the named files, or else all suite files in this folder. The result may be empty. */
export function suiteFilesHere(named: readonly string[]): readonly string[] {
  if (named.length > 0) {
    for (const file of named) refuseLinkOut(file);
    return named;
  }
  const found = [
    ...namesIn('.').filter((name) => /\.suite\.(ya?ml|json)$/.test(name)),
    ...namesIn('proofmark')
      .filter((name) => /\.(ya?ml|json)$/.test(name))
      .map((name) => `proofmark/${name}`),
  ];
  for (const file of found) refuseLinkOut(file);
  return found;
}

/**
 * Rejects a link in this folder that leads out of it. Errors quote the suite file, so an untrusted
 * checkout could use a link to disclose another file. A typed path outside the folder is accepted.
 */
function refuseLinkOut(file: string): void {
  const isStatedOutside = path.isAbsolute(file) || path.normalize(file).startsWith('..');
  if (file === '-' || isStatedOutside || !isOutsideFolder('.', file)) return;
  throw new UsageProblem(
    `${file} is a link that leads out of this folder, so it is not followed; name its target.`,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

export async function readSuiteToTest(file: string): Promise<SuiteToTest> {
  const content = await readGivenFile(file);
  const { parseYamlLoosely } = await import('../../data-files/parse-yaml.ts');
  const parsed = parseYamlLoosely(content);
  const suite = isRecord(parsed) ? parsed : {};
  const target = isRecord(suite['target']) ? suite['target'] : {};
  const servers = Array.isArray(target['servers']) ? target['servers'] : [];
  const defaults = isRecord(suite['defaults']) ? suite['defaults'] : {};
  const { id } = isRecord(suite['suite']) ? suite['suite'] : {};
  const cases = Array.isArray(suite['cases']) ? suite['cases'] : [];
  return {
    file,
    id: typeof id === 'string' ? id : '',
    caseIds: cases.flatMap((one) =>
      isRecord(one) && typeof one['id'] === 'string' ? [one['id']] : [],
    ),
    content,
    toSend: await readDataFiles(file, content),
    servers: servers.flatMap((one) =>
      isRecord(one) && typeof one['name'] === 'string' ? [one['name']] : [],
    ),
    reachable: reachableOf(servers),
    misstated: servers.flatMap(mistakesOf),
    hasTarget: suite['target'] !== undefined,
    hasEnvironment: target['environment'] !== undefined,
    needsModel: suite['mode'] !== 'serverContract' && defaults['model'] === undefined,
    draftedPrompts: draftedPromptsIn(parsed),
    scorers: scorersOfSuite(parsed),
  };
}

export async function serversStatedIn(content: string): Promise<SuiteServer[]> {
  const { parseYamlLoosely } = await import('../../data-files/parse-yaml.ts');
  const suite = parseYamlLoosely(content);
  const target = isRecord(suite) && isRecord(suite['target']) ? suite['target'] : {};
  return reachableOf(Array.isArray(target['servers']) ? target['servers'] : []);
}

/** Skips servers with mistakes, because the check of the whole file reports those mistakes. */
function reachableOf(servers: readonly unknown[]): SuiteServer[] {
  return servers.flatMap((one) => {
    const { data } = SuiteServer.safeParse(one);
    return data?.url === undefined && data?.command === undefined ? [] : [data];
  });
}

function mistakesOf(server: unknown): string[] {
  const { error } = SuiteServer.safeParse(server);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/**
 * Asks for permission before a suite may send trials to its scorers. Must be called for every new
 * version of the file, because a new version may name other scorers.
 */
export async function agreeToScorers(
  { file, scorers }: Pick<SuiteToTest, 'file' | 'scorers'>,
  flags: TrustFlags,
): Promise<void> {
  const statedAt = async (content: string) => {
    const { parseYamlLoosely } = await import('../../data-files/parse-yaml.ts');
    return scorersOfSuite(parseYamlLoosely(content));
  };
  await requireTrust(scorers, { where: file, folder: path.dirname(file), statedAt }, flags);
}
