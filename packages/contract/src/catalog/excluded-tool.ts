import { headerFaultReasons } from '@proofmark/domain';
import * as z from 'zod';

const ExcludedTool = z
  .object({
    toolName: z.string(),
    reason: z.enum(headerFaultReasons).meta({
      description:
        'empty: the header is empty. notToken: it is no HTTP token. duplicate: two parameters state it, in any case of letters. notPrimitive: the parameter is no string, integer or boolean. notReachable: the parameter is not reached by properties alone.',
    }),
    path: z.string().meta({ description: 'A JSON pointer into the tool.' }),
    message: z.string(),
  })
  .meta({
    id: 'ExcludedTool',
    description:
      'A tool that the server lists with an invalid x-mcp-header. Over HTTP at revision 2026-07-28, clients must hide it, so it is in no list, is offered to no model and is never called.',
  });

export const excludedTools = z.array(ExcludedTool).optional().meta({
  description:
    'An addition of Proofmark beyond the specification: the tools that are left out, because clients must hide them. Absent where there is none.',
});
