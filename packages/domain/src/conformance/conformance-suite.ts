/**
 * Chooses the version of the official conformance suite of MCP. The package is optional, so the
 * user installs it, and its newer versions need a newer Node than Proofmark does.
 */

export const conformancePackage = '@modelcontextprotocol/conformance';

export const conformanceRevisions = ['2025-11-25', '2026-07-28'] as const;
export type ConformanceRevision = (typeof conformanceRevisions)[number];

export interface InstalledSuite {
  readonly version: string;
  /** The revisions for which the package states the required scenarios. */
  readonly requirementSets: readonly string[];
}

export interface NamedSuite {
  readonly name: string;
  readonly version: string;
}

/**
 * The newest version and the newest for older versions of Node. Proofmark was tested with both of
 * them.
 */
const testedVersions = ['0.2.0-alpha.12', '0.1.13'] as const;

/** From this version on, the package imports a function that Node has since version 22. */
const firstForNode22 = '0.1.14';
const nodeOfNewer = 22;

/** The revision that versions without requirement sets test. */
const revisionWithoutSets: ConformanceRevision = '2025-11-25';

export type ChosenSuite<Suite extends InstalledSuite> =
  | { readonly suite: Suite; readonly note: string | null }
  | { readonly missing: string };

/** `nodeVersion` is the version of Node that will run the suite, for example `20.19.0`. */
export function chooseSuite<Suite extends InstalledSuite>(
  installed: readonly Suite[],
  nodeVersion: string,
): ChosenSuite<Suite> {
  const newestFirst = [...installed].sort((one, other) => compareVersions(other, one));
  const suite = newestFirst.find(({ version }) => runsOn(version, nodeVersion));
  if (suite === undefined) return { missing: whyMissing(newestFirst[0], nodeVersion) };
  const [newestTested] = testedVersions;
  const newest = [newestFirst[0]?.version ?? '', newestTested].sort((one, other) =>
    compareVersions({ version: other }, { version: one }),
  )[0] as string;
  const isNewest = runsOn(newest, nodeVersion);
  return { suite, note: isNewest ? null : olderSentence(newest, suite.version, nodeVersion) };
}

/** The command that installs the newest version that this version of Node runs. */
export function installCommand(nodeVersion: string): string {
  const version = testedVersions.find((one) => runsOn(one, nodeVersion)) ?? testedVersions[0];
  return `npm install ${conformancePackage}@${version}`;
}

/** The revisions that a version of the suite can test, the oldest first. */
export function revisionsOf({ requirementSets }: InstalledSuite): ConformanceRevision[] {
  if (requirementSets.length === 0) return [revisionWithoutSets];
  return conformanceRevisions.filter((revision) => requirementSets.includes(revision));
}

function whyMissing(newest: InstalledSuite | undefined, nodeVersion: string): string {
  const command = installCommand(nodeVersion);
  if (newest === undefined) {
    return `The package ${conformancePackage} is not installed. Install it beside proofmark: ${command}`;
  }
  return `Version ${newest.version} of ${conformancePackage} needs Node ${nodeOfNewer} or newer, and this is Node ${nodeVersion}. Install one that runs: ${command}`;
}

function olderSentence(newest: string, used: string, nodeVersion: string): string {
  return `Version ${newest} of ${conformancePackage} needs Node ${nodeOfNewer} or newer, and this is Node ${nodeVersion}, so version ${used} was used.`;
}

function runsOn(version: string, nodeVersion: string): boolean {
  const isOld = compareVersions({ version }, { version: firstForNode22 }) < 0;
  return isOld || Number.parseInt(nodeVersion, 10) >= nodeOfNewer;
}

type Versioned = Pick<InstalledSuite, 'version'>;

/** Compares versions as npm does: a version with a suffix comes before the one without. */
function compareVersions({ version: one }: Versioned, { version: other }: Versioned): number {
  const [core, suffix] = cut(one);
  const [otherCore, otherSuffix] = cut(other);
  const byCore = compareParts(core, otherCore);
  if (byCore !== 0) return byCore;
  if (suffix.length === 0 || otherSuffix.length === 0) return otherSuffix.length - suffix.length;
  return compareParts(suffix, otherSuffix);
}

function cut(version: string): [string[], string[]] {
  const [core = '', suffix] = version.split('+', 1)[0]?.split(/-(.*)/s) ?? [];
  return [core.split('.'), suffix === undefined ? [] : suffix.split('.')];
}

function compareParts(parts: readonly string[], others: readonly string[]): number {
  for (let index = 0; index < Math.max(parts.length, others.length); index += 1) {
    const part = parts[index] ?? '';
    const other = others[index] ?? '';
    const areNumbers = /^\d+$/.test(part) && /^\d+$/.test(other);
    const difference = areNumbers ? Number(part) - Number(other) : compareTexts(part, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
