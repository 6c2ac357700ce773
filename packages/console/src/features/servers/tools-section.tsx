import type { Tool } from '@proofmark/contract';
import { useMemo } from 'react';
import { argumentFields } from '../../kit/arguments/argument-fields.ts';
import { argumentList } from '../../kit/arguments/argument-words.ts';
import { LongText } from '../../kit/contents/long-text.tsx';
import { RawJson } from '../../kit/contents/raw-json.tsx';
import { type ServerIds, useExcludedTools, useTools } from '../../kit/data/server-lists.ts';
import { ExcludedTools } from '../../kit/excluded-tools.tsx';
import { FieldList } from '../../kit/schemas/field-list.tsx';
import { Chooser } from './chooser.tsx';
import { SplitSection } from './split-section.tsx';
import { ToolCallForm } from './tool-call-form.tsx';

export function ToolsSection({ ids, item }: { ids: ServerIds; item: string | undefined }) {
  const tools = useTools(ids);
  const excluded = useExcludedTools(ids);
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
      <ExcludedTools tools={excluded} />
    </SplitSection>
  );
}

function ToolDetail({ tool, ids }: { tool: Tool; ids: ServerIds }) {
  const form = useMemo(() => argumentFields(tool.inputSchema), [tool.inputSchema]);
  const fields = useMemo(() => argumentList(form.fields), [form]);
  const hints = hintWords(tool['annotations']);
  return (
    <article className="panel detail" aria-labelledby="chosen">
      <h3 id="chosen">
        <code>{tool.name}</code>
      </h3>
      {tool.description === undefined ? (
        <p className="hint">The server does not describe it.</p>
      ) : (
        <LongText plain text={tool.description} />
      )}
      {hints.length > 0 && <p className="hint">The server says it is {hints.join(', ')}.</p>}
      <ToolCallForm tool={tool} form={form} ids={ids} />
      <div className="schemas">
        <FieldList title="Input fields" fields={fields} closed />
        <RawJson title="Input schema (JSON)" value={tool.inputSchema ?? {}} />
        {tool.outputSchema !== undefined && (
          <RawJson title="Output schema (JSON)" value={tool.outputSchema} />
        )}
        <RawJson title="The tool as the server sent it (JSON)" value={tool} />
      </div>
    </article>
  );
}

/** Annotations are only claims of the server, as the page's text states. */
function hintWords(annotations: unknown): string[] {
  const hints = Object(annotations) as Record<string, unknown>;
  return [
    ...(hints['readOnlyHint'] === true ? ['read-only'] : []),
    ...(hints['destructiveHint'] === true ? ['destructive'] : []),
    ...(hints['idempotentHint'] === true ? ['safe to repeat'] : []),
    ...(hints['openWorldHint'] === true ? ['in touch with systems outside'] : []),
  ];
}
