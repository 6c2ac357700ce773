/**
 * Replaces the server names in cases by those of saved servers. A suite file may use any names, and
 * the import binds them to saved servers. Stored cases keep the file's names, so that the file can
 * be written again. A name without a server in the run stays.
 */
import type { Assertion } from '../assertions/assertion.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { serversBefore } from './replace-by-file.ts';
import type { StatedSetup } from './setup-and-teardown.ts';
import { asksServer, type Step, type ToolCallStep } from './step.ts';
import type { SuiteDefinition } from './suite-definition.ts';

interface SavedName {
  readonly id: string;
  readonly name: string;
}

type Suite = { readonly definition: SuiteDefinition; readonly serverIds: readonly string[] };

export function nameServersOfSettings(
  suite: Suite,
  servers: readonly SavedName[],
): SuiteDefinition['settings'] {
  const { settings } = suite.definition;
  const rename = renameOf(suite, servers);
  return rename === undefined ? settings : { ...settings, ...aroundWith(settings, rename.step) };
}

export function nameSavedServers<Case extends { readonly definition: EvalCaseDefinition }>(
  suite: Suite,
  cases: readonly Case[],
  servers: readonly SavedName[],
): readonly Case[] {
  const rename = renameOf(suite, servers);
  if (rename === undefined) return cases;
  return cases.map((one) => {
    const { steps, checks } = one.definition;
    const list = checks?.list?.map((assertion: Assertion) => rename.named(assertion));
    const definition: EvalCaseDefinition = {
      ...one.definition,
      steps: steps.map((step) =>
        step.kind === 'assert'
          ? { ...step, assertion: rename.named(step.assertion) }
          : rename.step(step),
      ),
      ...(checks !== undefined && list !== undefined && { checks: { ...checks, list } }),
      ...aroundWith(one.definition, rename.step),
    };
    return { ...one, definition };
  });
}

function aroundWith(
  stated: StatedSetup,
  renamed: (step: ToolCallStep) => ToolCallStep,
): Pick<StatedSetup, 'before' | 'after'> {
  const { before, after } = stated;
  return {
    ...(before !== undefined && { before: before.map(renamed) }),
    ...(after !== undefined && { after: after.map(renamed) }),
  };
}

/** Returns undefined if all names already equal those of the saved servers. */
function renameOf(suite: Suite, servers: readonly SavedName[]) {
  const bound = serversBefore(suite);
  const file = suite.definition.file?.servers ?? [];
  const savedAs = (name: string) => servers.find(({ id }) => id === bound.get(name));
  if (file.every(({ name, id }) => id === undefined && savedAs(name)?.name === name)) {
    return undefined;
  }
  const named = <Named extends object>(given: Named): Named => {
    const names = (['serverName', 'beforeServerName'] as const).flatMap((field) => {
      const called = (given as { readonly [Field in typeof field]?: string })[field];
      const saved = called === undefined ? undefined : savedAs(called);
      return saved === undefined ? [] : [[field, saved.name] as const];
    });
    return names.length === 0 ? given : { ...given, ...Object.fromEntries(names) };
  };
  const step = <One extends Step>(given: One): One => {
    if (!asksServer(given)) return given;
    // A server id in the file may come from another installation, so it is resolved by the name
    // next to it.
    const ofFile = file.find(({ id }) => id !== undefined && id === given.serverId);
    const saved = ofFile && savedAs(ofFile.name);
    if (saved !== undefined) return { ...given, serverId: saved.id, serverName: saved.name };
    return given.serverId === undefined ? named(given) : given;
  };
  return { named, step };
}
