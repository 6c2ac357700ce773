/**
 * Finds the versions of the official conformance suite that are installed: the package in the given
 * folder, or else those beside Proofmark. Nothing is installed here.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  type ChosenSuite,
  chooseSuite,
  conformancePackage,
  type InstalledSuite,
  isRecord,
  type NamedSuite,
  readListedScenarios,
  readRequirementSet,
  type ScenarioToPlay,
} from '@proofmark/domain';
import { parse } from 'yaml';
import { runSuite } from './run-suite.ts';

export interface FoundSuite extends InstalledSuite {
  readonly folder: string;
  /** The program of the package. */
  readonly program: string;
}

/** The package, and the name under which an older version can be installed beside it. */
const packageNames = [conformancePackage, 'conformance-for-older-node'];

export async function findSuites(folder: string | undefined): Promise<FoundSuite[]> {
  const folders = folder === undefined ? foldersBeside() : [path.resolve(folder)];
  const found = await Promise.all(folders.map(readSuite));
  return found.filter((suite) => suite !== undefined);
}

export async function findInstalledSuite(
  folder: string | undefined,
): Promise<ChosenSuite<FoundSuite>> {
  return chooseSuite(await findSuites(folder), process.versions.node);
}

/** Returns undefined if this version is not installed. */
export async function findVersion(
  folder: string | undefined,
  { version }: NamedSuite,
): Promise<FoundSuite | undefined> {
  return (await findSuites(folder)).find((suite) => suite.version === version);
}

export function namedSuiteOf({ version }: FoundSuite): NamedSuite {
  return { name: conformancePackage, version };
}

/** Returns the scenarios for servers at a revision, those that are not scored last. */
export async function scenariosOfSuite(suite: FoundSuite, spec: string): Promise<ScenarioToPlay[]> {
  if (suite.requirementSets.length === 0) {
    const { stdout } = await runSuite(suite, ['list', '--server'], { timeoutMs: listMs });
    return readListedScenarios(stdout);
  }
  const file = path.join(suite.folder, 'requirements', `${spec}.yaml`);
  const scenarios = readRequirementSet(parse(await readFile(file, 'utf8')));
  if (scenarios === undefined) throw new Error(`The requirement set ${spec} cannot be read.`);
  return scenarios;
}

const listMs = 60_000;

function foldersBeside(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return packageNames.flatMap((name) => {
    try {
      return [path.dirname(resolve(`${name}/package.json`))];
    } catch {
      return [];
    }
  });
}

async function readSuite(folder: string): Promise<FoundSuite | undefined> {
  const content = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => undefined);
  const stated: unknown = content === undefined ? undefined : parseJson(content);
  if (!isRecord(stated) || typeof stated['version'] !== 'string') return undefined;
  if (stated['name'] !== conformancePackage) return undefined;
  const sets = await readdir(path.join(folder, 'requirements')).catch(() => []);
  return {
    version: stated['version'],
    requirementSets: sets.flatMap((name) => /^(.+)\.yaml$/.exec(name)?.[1] ?? []),
    folder,
    program: path.join(folder, 'dist/index.js'),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
