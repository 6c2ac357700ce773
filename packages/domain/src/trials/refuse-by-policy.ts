/**
 * Returns why a call is rejected in a run; undefined if it is allowed.
 *
 * - A denied tool is never called.
 * - In `readOnly` mode, a tool must declare that it only reads, unless the policy exempts it by
 *   name.
 * - If `allowWrites` is set, it must name every tool that may change data.
 * - If the client asks a person before every call, every call is rejected, since no person can
 *   approve it during a run.
 */
import { isRecord } from '../kernel/json.ts';
import type { ToolPolicy } from '../suites/suite-definition.ts';
import { whyHeldForWriting } from '../surfaces/held-for-writing.ts';
import type { RefusedBy } from './refused-calls.ts';

export interface PolicyRules {
  readonly toolPolicy?: ToolPolicy | undefined;
  /**
   * Names of the tools that may be called although they may change data; an empty list allows none.
   * If absent, this setting blocks no call.
   */
  readonly allowWrites?: readonly string[] | undefined;
  readonly requireToolApproval?: boolean | undefined;
}

export interface PolicyRefusal {
  readonly by: RefusedBy;
  readonly reason: string;
}

export function refuseByPolicy(
  call: {
    readonly toolName: string;
    /** The tool as its server lists it; absent for an unlisted tool. */
    readonly tool: Readonly<Record<string, unknown>> | undefined;
  },
  rules: PolicyRules,
): PolicyRefusal | undefined {
  const { toolName } = call;
  const { toolPolicy, allowWrites } = rules;
  const name = JSON.stringify(toolName);
  if (toolPolicy?.deny?.includes(toolName) === true) {
    const reason = `The tool policy of the suite denies ${name}, so the call was not made.`;
    return { by: 'toolPolicy', reason };
  }
  if (
    toolPolicy?.mode === 'readOnly' &&
    toolPolicy.allow?.includes(toolName) !== true &&
    !onlyReads(call.tool)
  ) {
    const reason = `The tool policy of the suite allows only tools that say they only read; ${name} does not, so the call was not made.`;
    return { by: 'toolPolicy', reason };
  }
  if (allowWrites !== undefined && !allowWrites.includes(toolName)) {
    // A server may have a tool that it does not list. Such a tool is judged by its name alone.
    const why = whyHeldForWriting({ ...call.tool, name: toolName });
    if (why !== undefined) {
      const reason = `The tool ${name} is held for writing (${why}) and allowWrites does not name it, so the call was not made. To allow it: allowWrites: [${name}].`;
      return { by: 'allowWrites', reason };
    }
  }
  if (rules.requireToolApproval === true) {
    const reason = `The client asks for approval before it calls a tool, and a run has no person to approve it, so ${name} was not called.`;
    return { by: 'approval', reason };
  }
  return undefined;
}

/** Patterns that recognize the rejections of this file in the stored error of a trial. */
export const saysHeldForWriting = /held for writing \(.* and allowWrites does not name it/;
export const saysToolPolicy = /^The tool policy of the suite (denies|allows only)/;
export const saysNobodyApproves = /^The client asks for approval before it calls a tool/;

function onlyReads(tool: Readonly<Record<string, unknown>> | undefined): boolean {
  const annotations = tool?.['annotations'];
  return isRecord(annotations) && annotations['readOnlyHint'] === true;
}
