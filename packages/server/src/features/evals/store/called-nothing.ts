/**
 * Whether a launched run called no tool of a server and requested no prompt or resource. The search
 * stops at the first trial with a call, so it is slow only for runs without any call.
 */
import type { Sql } from '../../../platform/database/database.ts';

export async function calledNothing(
  sql: Sql,
  run: { readonly id: string; readonly source: string; readonly result: string | null },
): Promise<boolean> {
  // Only passed runs get the warning that nothing was called. Uploaded runs (`sdk`) never get it,
  // because their lists of calls may be incomplete.
  if (run.source === 'sdk' || run.result !== 'passed') return false;
  const [row] = await sql<{ calledNothing: boolean }[]>`
    select not exists (
      select from eval_iterations
      cross join lateral json_array_elements(
        case json_typeof(document_of(actual_tool_calls))
          when 'array' then document_of(actual_tool_calls) else '[]'::json end) as call
      where run_id = ${run.id} and actual_tool_calls <> '[]' and call ->> 'notMade' is null
        and coalesce(call ->> 'serverName', call ->> 'serverId') is not null
    ) and exists (
      select from eval_run_plans where run_id = ${run.id}
        and plan not like '%"kind":"toolCall"%' and plan not like '%"kind":"getPrompt"%' and plan not like '%"kind":"readResource"%'
    ) as called_nothing`;
  return row?.calledNothing === true;
}
