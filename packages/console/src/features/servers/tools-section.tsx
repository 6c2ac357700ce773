import type { Tool } from '@proofmark/contract';
import { type ServerIds, useTools } from '../../kit/data/server-lists.ts';
import { Chooser } from './chooser.tsx';
import { SplitSection } from './split-section.tsx';
import { ToolDetail } from './tool-detail.tsx';

export function ToolsSection({ ids, item }: { ids: ServerIds; item: string | undefined }) {
  const tools = useTools(ids);
  const chosen = tools.items?.find((tool) => tool.name === item);
  return (
    <SplitSection
      title="Tools"
      what="tool"
      ids={ids}
      section="tools"
      lists={[tools]}
      item={item}
      detail={chosen && <ToolDetail key={chosen.name} tool={chosen} ids={ids} />}
    >
      <Chooser
        ids={ids}
        section="tools"
        what="tools"
        list={tools}
        choiceOf={(tool: Tool) => ({
          id: tool.name,
          title: typeof tool['title'] === 'string' ? tool['title'] : undefined,
          description: tool.description,
        })}
        empty="It says that it has tools, and lists none."
      />
    </SplitSection>
  );
}
