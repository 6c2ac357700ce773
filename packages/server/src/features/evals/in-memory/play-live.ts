/**
 * Plays the trials of a run in this process, against its servers and models, in the same way as a
 * worker plays a stored run.
 */
import { type PatternEngine, type RunPlan, setupLists, type TrialWarning } from '@proofmark/domain';
import type { AfterOfTrial } from '../../../conversation/trial-dependencies.ts';
import type { WidgetsHere } from '../../../outside/browser/widgets-here.ts';
import type { OwnScorers } from '../../../outside/scorers/own-scorers.ts';
import { type PinnedServer, targetWith } from '../../servers/index.ts';
import type { ModelKeys } from '../store/run-plans.ts';
import { openServersBy, type WaysOut } from '../work/open-parts.ts';
import { type OpenTrials, openTrials } from '../work/open-trials.ts';
import { playTrial } from '../work/play-trial.ts';
import { meterTrial } from '../work/trial-meter.ts';
import type { TrialPlayer } from './in-memory-run.ts';

export interface LiveDependencies extends WaysOut {
  readonly patterns: PatternEngine;
  readonly widgets?: WidgetsHere;
  /** Signs with a key. The signature identifies a session without revealing the signed text. */
  sign(purpose: string, text: string): string;
}

export interface LiveRun {
  readonly plan: RunPlan;
  readonly keys: ModelKeys;
  readonly pinned: readonly PinnedServer[];
}

/**
 * Opens the resources that the trials of a run use. `trials` is the number of trials if the plan
 * does not state it.
 */
export function openTrialsHere(
  { plan, keys, pinned }: LiveRun,
  { patterns, widgets, sign, ...ways }: LiveDependencies,
  trials?: number,
): OpenTrials {
  const targetOfServer = async (serverId: string) => {
    const found = pinned.find(({ server }) => server.id === serverId);
    if (found === undefined)
      throw new Error('Internal fault: a server of the run is not known to this command.');
    const { stdio } = found;
    const start = stdio && ({ kind: 'stdio', ...stdio } as const);
    const { client } = plan;
    return targetWith(
      { sign, stdioAddressOf: () => start },
      found,
      client.id === undefined ? undefined : client,
    );
  };
  return openTrials(
    { models: ways.models, patterns, ...(widgets && { widgets }) },
    { plan, keys, providers: [], skillTexts: new Map() },
    (wanted) =>
      openServersBy(
        ways,
        '',
        { ...wanted, ...(trials !== undefined && { trials }) },
        targetOfServer,
      ),
  );
}

export function playerOfServers(live: LiveRun, dependencies: LiveDependencies): TrialPlayer {
  const { plan } = live;
  const opened = openTrialsHere(live, dependencies);
  const run = { ...opened, scorersOf: () => nobodyScores };
  const { secrets } = opened;
  return {
    async play(trial, signal, { warn, pay }) {
      const planned = plan.cases[trial.caseIndex];
      if (planned === undefined)
        throw new Error('Internal fault: the plan of the run has no case for one of its trials.');
      const owes = setupLists('after', plan, planned).length > 0;
      const redact = (warnings: readonly TrialWarning[]) => secrets.redactQuotes(warnings, quoted);
      const meter = meterTrial(plan, opened.models, trial);
      const written = await playTrial(run, trial, {
        meter,
        after: owes ? afterHere((warnings) => warn(redact(warnings))) : undefined,
        signal,
      }).catch((error: unknown) => {
        // The calls so far cost money even if the trial fails.
        pay(meter.spent());
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(secrets.redactText(message), { cause: error });
      });
      // Nothing reads the trace and widgets of an in-memory run, and they take most of a trial's
      // memory.
      return { ...written, trace: null, widgets: null };
    },
    close: () => opened.close(),
  };
}

/**
 * Always makes the clean-up calls, because no other process could make them. An interrupted run
 * waits for them.
 */
function afterHere(onWarnings: (warnings: readonly TrialWarning[]) => void): AfterOfTrial {
  return {
    owe: async () => undefined,
    withdraw: async () => undefined,
    async make(calls) {
      onWarnings(await calls(new AbortController().signal, () => undefined));
    },
  };
}

const quoted: ReadonlySet<string> = new Set(['message']);

/**
 * Own scorers (an organization's HTTP programs) are never called here, because there is no secret
 * to sign requests with. A suite that needs them is rejected at launch.
 */
export const nobodyScores: OwnScorers = {
  ask: async () => ({ problem: 'This service does not call scorers.' }),
};
