import {
  type DraftedCase,
  type DraftTool,
  type DraftWish,
  draftCases,
  readDraftAnswer,
  writeDraftRequest,
} from '@proofmark/domain';
import type { ProjectContext } from '../../../../platform/operations/action.ts';
import { type Drafted, draftByPart } from '../../../models/operations/draft-by-part.ts';

export function draftCasesFor(
  context: ProjectContext,
  tools: readonly DraftTool[],
  wish: DraftWish,
): Promise<Drafted<DraftedCase>> {
  return draftByPart(context, {
    what: 'cases',
    byRules: () => draftCases(tools, wish),
    request: () => writeDraftRequest(tools, wish),
    read: (text) => readDraftAnswer(text, tools, wish),
  });
}
