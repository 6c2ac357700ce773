import { RefusedTool } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';

/** The maximum number of tools in the list. Tools with the fewest rejections are left out. */
const mostTools = 50;

export async function tallyRefusedTools(sql: Sql, runId: string): Promise<RefusedTool[]> {
  const rows = await sql`
    select call ->> 'serverName' as server_name, call ->> 'toolName' as tool_name, call ->> 'by' as by,
      count(*)::integer as calls, count(distinct ordinal)::integer as trials
    from eval_iterations cross join lateral json_array_elements(refused_calls::json) as call
    where run_id = ${runId} and refused_calls is not null
    group by 1, 2, 3 order by calls desc, 2, 1, 3 limit ${mostTools}`;
  return rows.flatMap((row) => RefusedTool.safeParse(row).data ?? []);
}
