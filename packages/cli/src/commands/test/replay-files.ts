/**
 * `--replay` uses the recordings beside a suite file instead of its servers and model. The trials
 * are graded in this process and not stored.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  count,
  possibleCopies,
  type RunReplay,
  readRecordingFile,
  readRecordingFileName,
  recordingFileName,
  wholeVariants,
} from '@proofmark/domain';
import { UsageProblem } from '../../remote/exit-codes.ts';
import type { FetchedDecision } from '../../remote/fetch-decision.ts';
import type { ServerFlags } from './chosen-servers.ts';
import type {
  KeptRecordings,
  RecordedTrialOfFile,
  ReplayService,
  ServiceFlags,
} from './open-service.ts';
import { namesOfRecordings, recordingsFolder, sha256Hex, toMatch } from './record-files.ts';
import type { SuiteToTest } from './suite-files.ts';

export interface RecordingFlags {
  readonly record?: true;
  readonly replay?: true;
  readonly watch?: true;
  readonly modelKey?: readonly string[];
}

export function refuseBesideRecordings(
  flags: RecordingFlags & ServerFlags & ServiceFlags,
  hasService: boolean,
): void {
  if (flags.record && flags.replay)
    throw new UsageProblem('Give only one of --record and --replay.');
  const which = flags.record ? '--record' : '--replay';
  if ((flags.record || flags.replay) && flags.watch) {
    throw new UsageProblem(`${which} runs once; remove --watch.`);
  }
  if (!flags.replay) return;
  if (!hasService) throw new UsageProblem(noReplayForLight);
  const { server, serverCommand, serverEnv, serverName, from, config, modelKey } = flags;
  const { url, project } = flags;
  const asking = {
    server,
    serverCommand,
    serverEnv,
    serverName,
    from,
    config,
    modelKey,
    url,
    project,
  };
  const given = { ...asking, settings: flags.settings };
  const [needless] = Object.entries(given).filter(([, value]) => value !== undefined);
  if (needless === undefined) return;
  const flag = needless[0].replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageProblem(`--replay uses no server, model, service or settings; remove --${flag}.`);
}

const noReplayForLight =
  'This installation is the light command, which cannot replay: install the whole proofmark package, made by \\`npm run pack\\` in its repository.';

export interface FilesToReplay {
  /** All recorded trials, including trials whose recording cannot be replayed. */
  readonly trials: readonly RecordedTrialOfFile[];
  readonly names: ReadonlySet<string>;
  /**
   * Reasons why recording files cannot be used, by file name. An unusable file also excludes the
   * other repetitions of its case on the same model.
   */
  readonly unusable: ReadonlyMap<string, string>;
  readonly serverNames: readonly string[];
  /**
   * The model for a suite that names none: the model of the recordings, if all have the same one.
   */
  readonly model: string | undefined;
}

type ReadFile = Omit<RecordedTrialOfFile, 'recording'> &
  Partial<Pick<RecordedTrialOfFile, 'recording'>> & { readonly trials?: number };

/** Throws before anything is started if no recording can be replayed. */
export function readFilesToReplay(suite: SuiteToTest, repetitions?: number): FilesToReplay {
  const folder = recordingsFolder(suite.file);
  const stale = new Map<string, string>();
  const readable: Parameters<typeof possibleCopies>[0][number][] = [];
  const found = namesOfRecordings(suite.file).flatMap((name): ReadFile[] => {
    const trial = readRecordingFileName(name);
    if (trial === undefined) return [];
    const text = readFileSync(path.join(folder, name), 'utf8');
    const inFile = readRecordingFile(text, { suite: suite.id, trial }, sha256Hex);
    if ('stale' in inFile) {
      stale.set(name, `it is stale: ${inFile.stale}`);
      return [trial];
    }
    const { hash, isNamed, ...content } = inFile;
    readable.push({ ...trial, hash, isNamed });
    return [{ ...trial, ...content }];
  });
  const copies = possibleCopies(readable);
  for (const [name, why] of copies) stale.set(name, `it is stale: ${why}`);
  const read = found.map(({ recording, ...trial }) =>
    recording === undefined || copies.has(recordingFileName(trial))
      ? trial
      : { ...trial, recording },
  );
  // `trials` is the recorded number of repetitions. A user who requests another number may lack
  // some recordings, so `trials` is not checked.
  const counted: readonly ReadFile[] =
    repetitions === undefined ? read : read.map(({ trials: _, ...one }) => one);
  const { whole, missing, lacking } = wholeVariants(counted);
  const played = whole.flatMap(({ recording, trials: _, ...one }) =>
    recording === undefined ? [] : [{ ...one, recording }],
  );
  if (played.length === 0) {
    const what = read.length === 0 ? 'there are no recordings' : 'every recording was changed';
    const [first] = [...stale].map(([name, why]) => ` (${name}: ${why})`);
    throw new Error(
      `${suite.file}: ${what} in ${folder}${first ?? ''}, so no case can be replayed; ${recordIt}`,
    );
  }
  const servers = played.flatMap(({ recording }) => recording.servers);
  const models = new Set(played.map(({ model }) => model ?? undefined));
  return {
    trials: [...played, ...lacking],
    names: new Set(read.map(recordingFileName)),
    unusable: new Map([...stale, ...missing.map(nameMissing)]),
    serverNames: [...new Set(servers.map(({ serverName }) => serverName))],
    model: models.size === 1 ? [...models][0] : undefined,
  };
}

/** Adds the recording files that are missing to `unusable`. Throws if no case remains. */
export function filesPlayed(
  { file }: Pick<SuiteToTest, 'file'>,
  files: FilesToReplay,
  { trials, missing }: KeptRecordings,
): FilesToReplay {
  const folder = recordingsFolder(file);
  if (trials === 0 && missing[0] !== undefined) {
    throw new Error(
      `${file}: ${folder}/${missing[0]} is missing and no case has all its recordings, so none can be replayed; ${recordIt}`,
    );
  }
  return { ...files, unusable: new Map([...files.unusable, ...missing.map(nameMissing)]) };
}

export async function bindRecorded(
  { nameServer }: Pick<ReplayService, 'nameServer'>,
  { servers }: SuiteToTest,
  { serverNames }: FilesToReplay,
): Promise<Record<string, string>> {
  const bound = pairs(servers, serverNames).map(
    async ([name, server]) => [name, await nameServer(server)] as const,
  );
  return Object.fromEntries(await Promise.all(bound));
}

/**
 * Pairs the suite's servers with the recorded ones by name. A single server on each side matches
 * even if the names differ.
 */
function pairs(named: readonly string[], recorded: readonly string[]): [string, string][] {
  const [first, another] = named;
  if (first === undefined) return recorded.map((name) => [name, name]);
  const [only, more] = recorded;
  if (another === undefined && only !== undefined && more === undefined) return [[first, only]];
  return named.map((name) => [name, name]);
}

export function replayLines(
  suite: Pick<SuiteToTest, 'file'>,
  files: FilesToReplay,
  { run, notPassed: trials }: Pick<FetchedDecision, 'run' | 'notPassed'>,
): string[] {
  const { replay } = run;
  if (replay === undefined) return [];
  const lines = [`replayed ${count(replay.trials, 'trial')} of ${suite.file}${counted(replay)}.`];
  const folder = recordingsFolder(suite.file);
  for (const trial of trials) {
    if (trial.divergence !== undefined) {
      const { message, before, after } = trial.divergence;
      const shown = [`recorded: ${oneLine(before)}`, `now: ${oneLine(after)}`].join('; ');
      lines.push(`${trial.caseId} diverged: ${message} ${shown}`);
    }
  }
  const wanted = trials.map((trial) => recordingFileName(toMatch(trial)));
  const missing = wanted.filter((name) => !files.names.has(name)).map(nameMissing);
  for (const [name, why] of new Map([...missing, ...files.unusable])) {
    lines.push(`${folder}/${name}: ${why}.`);
  }
  // Repetitions of a case usually diverge in the same way, so equal notices are printed once.
  return [...new Set(lines)];
}

const recordIt = 'record it with `proofmark test --record`.';

function nameMissing(name: string): [string, string] {
  return [name, 'it is missing'];
}

function counted({ diverged, notRecorded }: RunReplay): string {
  if (diverged + notRecorded === 0) return ', without a server or a model';
  return `; ${diverged} diverged, ${notRecorded} notRecorded`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > shownLength ? `${line.slice(0, shownLength - 1)}…` : line;
}

const shownLength = 120;
