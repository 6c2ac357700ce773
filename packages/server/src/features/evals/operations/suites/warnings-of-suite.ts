import {
  type CaseToWarnOf,
  type CaseWarning,
  type ListedServers,
  type ModelOffer,
  nameSavedServers,
  nameServersOfSettings,
  type SettingsPath,
  type SuiteDefinition,
  warnOfAllowedWrites,
  warnOfCases,
  warnOfModels,
} from '@proofmark/domain';
import type { SuiteOfContext } from '../runs/launch-context.ts';

export interface WarningPlaces {
  readonly settingsPath?: SettingsPath | undefined;
  /**
   * The path of the suite's model in the request; absent if the request does not change the suite.
   */
  readonly modelPath?: string | undefined;
  /** The path of `allowWrites` in the request; absent if the request does not change the suite. */
  readonly allowWritesPath?: string | undefined;
}

interface KnownOfSuite extends WarningPlaces {
  /** Undefined if environments or clients determine the servers. */
  readonly servers: readonly { readonly id: string; readonly name: string }[] | undefined;
  readonly listed: ListedServers | undefined;
  readonly offer: ModelOffer;
  readonly noWidgets: string | null;
}

export function warningsOfSuite(
  suite: SuiteOfContext & { readonly definition: SuiteDefinition },
  cases: readonly CaseToWarnOf[],
  {
    servers = [],
    listed,
    offer,
    noWidgets,
    settingsPath,
    modelPath,
    allowWritesPath,
  }: KnownOfSuite,
): CaseWarning[] {
  return [
    ...warningsOfModels(suite.definition, cases, offer, modelPath),
    ...warningsOfAllowedWrites(suite.definition, listed, allowWritesPath),
    ...warnOfCases(
      nameSavedServers(suite, cases, servers),
      nameServersOfSettings(suite, servers),
      listed,
      { settingsPath, noWidgets },
    ),
  ];
}

function warningsOfAllowedWrites(
  { settings: { allowWrites } }: Pick<SuiteDefinition, 'settings'>,
  listed: ListedServers,
  path: string | undefined,
): CaseWarning[] {
  return path === undefined ? [] : warnOfAllowedWrites({ path, allowWrites }, listed);
}

export function warningsOfModels(
  { model, provider }: Pick<SuiteDefinition, 'model' | 'provider'>,
  cases: readonly CaseToWarnOf[],
  offer: ModelOffer,
  path: string | undefined,
): CaseWarning[] {
  const ofSuite = path === undefined ? undefined : { path, model, provider };
  return warnOfModels(ofSuite, cases, offer);
}
