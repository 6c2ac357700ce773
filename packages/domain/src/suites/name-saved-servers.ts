/**
 * A suite file calls servers as it likes, and whoever imports it says which saved ones they are. Cases keep the words of
 * their file, so that it can be written again; before they are run or warned of, the servers they name are those that
 * the file was bound to. A server that the run does not have keeps the name it was given.
 */
import type { Assertion } from '../assertions/assertion.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { serversBefore } from './replace-by-file.ts';
import type { Step } from './step.ts';
import type { SuiteDefinition } from './suite-definition.ts';

interface SavedName {
  readonly id: string;
  readonly name: string;
}

export function nameSavedServers<Case extends { readonly definition: EvalCaseDefinition }>(
  suite: { readonly definition: SuiteDefinition; readonly serverIds: readonly string[] },
  cases: readonly Case[],
  servers: readonly SavedName[],
): readonly Case[] {
  const bound = serversBefore(suite);
  const named = suite.definition.file?.servers ?? [];
  const savedAs = (name: string) => servers.find(({ id }) => id === bound.get(name));
  if (named.every(({ name, id }) => id === undefined && savedAs(name)?.name === name)) return cases;
  const rename = <Named extends object>(given: Named): Named => {
    const { serverName } = given as { readonly serverName?: string };
    const saved = serverName === undefined ? undefined : savedAs(serverName);
    return saved === undefined ? given : { ...given, serverName: saved.name };
  };
  const renameStep = (step: Step): Step => {
    if (step.kind === 'assert') return { ...step, assertion: rename(step.assertion) };
    if (step.kind !== 'toolCall') return step;
    // An id of the file may be that of another installation; it stands for what its name stands for.
    const ofFile = named.find(({ id }) => id !== undefined && id === step.serverId);
    const saved = ofFile && savedAs(ofFile.name);
    if (saved !== undefined) return { ...step, serverId: saved.id, serverName: saved.name };
    return step.serverId === undefined ? rename(step) : step;
  };
  return cases.map((one) => {
    const { steps, checks } = one.definition;
    const list = checks?.list?.map((assertion: Assertion) => rename(assertion));
    const definition: EvalCaseDefinition = {
      ...one.definition,
      steps: steps.map(renameStep),
      ...(checks !== undefined && list !== undefined && { checks: { ...checks, list } }),
    };
    return { ...one, definition };
  });
}
