import type { Prompt } from '@proofmark/contract';
import { type ServerIds, usePrompts } from '../../kit/data/server-lists.ts';
import { Chooser } from './chooser.tsx';
import { PromptDetail } from './prompt-detail.tsx';
import { SplitSection } from './split-section.tsx';

export function PromptsSection({ ids, item }: { ids: ServerIds; item: string | undefined }) {
  const prompts = usePrompts(ids);
  const chosen = prompts.items?.find((prompt) => prompt.name === item);
  return (
    <SplitSection
      title="Prompts"
      what="prompt"
      ids={ids}
      section="prompts"
      lists={[prompts]}
      item={item}
      detail={chosen && <PromptDetail key={chosen.name} prompt={chosen} ids={ids} />}
    >
      <Chooser
        ids={ids}
        section="prompts"
        what="prompts"
        list={prompts}
        choiceOf={(prompt: Prompt) => ({
          id: prompt.name,
          title: typeof prompt['title'] === 'string' ? prompt['title'] : undefined,
          description: prompt.description,
        })}
        empty="It says that it has prompts, and lists none."
      />
    </SplitSection>
  );
}
