/** A prompt's arguments are all text. */
import type { OutputOf, Prompt } from '@proofmark/contract';
import { useId, useState } from 'react';
import { readContentBlock } from '../../kit/contents/content-block.ts';
import { ContentBlocks } from '../../kit/contents/content-blocks.tsx';
import { LongText } from '../../kit/contents/long-text.tsx';
import { RawJson } from '../../kit/contents/raw-json.tsx';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { CallFailure } from './call-failure.tsx';
import { useGetPrompt } from './data/server-calls.ts';

export function PromptDetail({ prompt, ids }: { prompt: Prompt; ids: ServerIds }) {
  const call = useGetPrompt(ids);
  const id = useId();
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const parameters = prompt.arguments ?? [];
  const send = () => {
    if (call.isPending) return;
    const empty = parameters.filter(({ name, required }) => required && !values.get(name));
    setMissing(new Set(empty.map(({ name }) => name)));
    if (empty.length > 0) return;
    call.start({ promptName: prompt.name, arguments: Object.fromEntries(values) });
  };
  const change = (name: string, text: string) => {
    const next = new Map(values);
    if (text === '') next.delete(name);
    else next.set(name, text);
    setValues(next);
  };
  return (
    <article className="panel detail" aria-labelledby="chosen">
      <h3 id="chosen">
        <code>{prompt.name}</code>
      </h3>
      {prompt.description === undefined ? (
        <p className="hint">The server does not describe it.</p>
      ) : (
        <LongText plain text={prompt.description} />
      )}
      <Form
        label={`Render ${prompt.name}`}
        problem={undefined}
        attempt={missing}
        onSubmit={send}
        buttons={
          <>
            <button type="submit" className="primary" disabled={call.isPending}>
              Render the prompt
            </button>
            {call.isPending && (
              <button type="button" onClick={call.stop}>
                Stop
              </button>
            )}
          </>
        }
      >
        {parameters.length === 0 && <p className="hint">It takes no arguments.</p>}
        {parameters.map(({ name, required, description }) => (
          <Field
            key={name}
            label={required ? `${name} (required)` : name}
            hint={description?.slice(0, 400)}
            problem={missing.has(name) && !values.get(name) ? 'Enter a text.' : undefined}
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                value={values.get(name) ?? ''}
                onChange={(event) => change(name, event.target.value)}
              />
            )}
          </Field>
        ))}
      </Form>
      <section aria-labelledby={`${id}-result`} className="result" aria-busy={call.isPending}>
        <h4 id={`${id}-result`}>Messages</h4>
        {call.isPending && (
          <p className="loading" role="status">
            Waiting for the server…
          </p>
        )}
        {call.error !== null && <CallFailure error={call.error} ids={ids} />}
        {call.data !== undefined && <Rendered result={call.data} />}
        {!call.isPending && call.error === null && call.data === undefined && (
          <p className="hint">Not rendered yet.</p>
        )}
      </section>
      <RawJson title="The prompt as the server sent it (JSON)" value={prompt} />
    </article>
  );
}

function Rendered({ result }: { result: OutputOf<'getPrompt'> }) {
  return (
    <>
      {result.description !== undefined && <LongText plain text={result.description} />}
      {result.messages.length === 0 && <p className="hint">It became no messages.</p>}
      {result.messages.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one answer never change.
        <div className="message" key={index}>
          <p className="prompt-role">{role}</p>
          <ContentBlocks
            blocks={(Array.isArray(content) ? content : [content]).map(readContentBlock)}
          />
        </div>
      ))}
      <RawJson title="Raw result (JSON)" value={result} />
    </>
  );
}
