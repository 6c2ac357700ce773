/**
 * Warnings about calls around trials that are possible before a trial: calls that the policy
 * rejects, and tools that no server lists.
 */

import { isKnownNotToList, type ListedServers } from './listed-tools.ts';
import type { SetupPart, StatedSetup } from './setup-and-teardown.ts';
import type { ToolCallStep } from './step.ts';
import type { ToolPolicy } from './suite-definition.ts';

interface CallWarning {
  readonly path: string;
  readonly code: 'CALL_REFUSED_BY_POLICY' | 'TOOL_NOT_LISTED';
  readonly message: string;
}

export function warnOfSetupAndTeardown(
  {
    path,
    stated,
    toolPolicy,
  }: {
    readonly path: string;
    readonly stated: StatedSetup;
    readonly toolPolicy: ToolPolicy | undefined;
  },
  servers: ListedServers,
): CallWarning[] {
  return parts.flatMap((part) =>
    (stated[part] ?? []).flatMap((call, index): CallWarning[] => {
      const at = `${path}.${part}[${index}]`;
      if (toolPolicy?.deny?.includes(call.toolName) === true) {
        const message = `The tool policy of the suite denies ${JSON.stringify(call.toolName)}, so ${consequences[part]}.`;
        return [{ path: at, code: 'CALL_REFUSED_BY_POLICY', message }];
      }
      return isKnownNotToList(call, servers) ? [unlistedCall(call, at)] : [];
    }),
  );
}

export function unlistedCall({ serverName, toolName }: ToolCallStep, path: string): CallWarning {
  const message = `The server ${JSON.stringify(serverName)} lists no tool ${JSON.stringify(toolName)}.`;
  return { path: `${path}.toolName`, code: 'TOOL_NOT_LISTED', message };
}

const parts = ['before', 'after'] as const;

const consequences: Readonly<Record<SetupPart, string>> = {
  before: 'its trials end as setup_failed',
  after: 'nothing is cleaned up',
};
