/**
 * Why a call may not be made in a run that nobody watches; nothing where it may. A denied tool is never called. Where
 * only reading is allowed, a tool must say that it only reads, unless the policy exempts it by name. A client that
 * asks a person before every call has nobody to ask here.
 */
import { isRecord } from '../kernel/json.ts';
import type { ToolPolicy } from '../suites/suite-definition.ts';

export function refuseByPolicy(
  call: {
    readonly toolName: string;
    /** As the server lists it; absent where it does not. */
    readonly tool: Readonly<Record<string, unknown>> | undefined;
  },
  rules: {
    readonly toolPolicy?: ToolPolicy | undefined;
    readonly requireToolApproval?: boolean | undefined;
  },
): string | undefined {
  const { toolName } = call;
  const { toolPolicy } = rules;
  const name = JSON.stringify(toolName);
  if (toolPolicy?.deny?.includes(toolName) === true) {
    return `The tool policy of the suite denies ${name}, so the call was not made.`;
  }
  if (
    toolPolicy?.mode === 'readOnly' &&
    toolPolicy.allow?.includes(toolName) !== true &&
    !onlyReads(call.tool)
  ) {
    return `The tool policy of the suite allows only tools that say they only read; ${name} does not, so the call was not made.`;
  }
  if (rules.requireToolApproval === true) {
    return `The client asks for approval before it calls a tool, and nobody watches this run, so ${name} was not called.`;
  }
  return undefined;
}

function onlyReads(tool: Readonly<Record<string, unknown>> | undefined): boolean {
  const annotations = tool?.['annotations'];
  return isRecord(annotations) && annotations['readOnlyHint'] === true;
}
