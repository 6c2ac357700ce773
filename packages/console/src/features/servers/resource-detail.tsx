import type { Resource, ResourceTemplate } from '@proofmark/contract';
import { useId, useState } from 'react';
import { readResourceContents } from '../../kit/contents/content-block.ts';
import { ContentBlocks } from '../../kit/contents/content-blocks.tsx';
import { LongText } from '../../kit/contents/long-text.tsx';
import { RawJson } from '../../kit/contents/raw-json.tsx';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { CallFailure } from './call-failure.tsx';
import { useReadResource } from './data/server-calls.ts';

export function ResourceDetail(props: {
  uri: string;
  found: Resource | ResourceTemplate | undefined;
  ids: ServerIds;
}) {
  const { found, ids } = props;
  const call = useReadResource(ids);
  const id = useId();
  const [uri, setUri] = useState(props.uri);
  const [problem, setProblem] = useState<string>();
  const isTemplate = found !== undefined && 'uriTemplate' in found;
  const send = () => {
    if (call.isPending) return;
    const wrong = uriProblem(uri, isTemplate);
    setProblem(wrong);
    if (wrong === undefined) call.start({ uri: uri.trim() });
  };
  return (
    <article className="panel detail" aria-labelledby="chosen">
      <h3 id="chosen">{found?.name ?? 'Read a resource by its URI'}</h3>
      {found?.description !== undefined && <LongText plain text={found.description} />}
      {found?.mimeType !== undefined && (
        <p className="hint">
          The server says it is <code>{found.mimeType}</code>.
        </p>
      )}
      <Form
        label="Read a resource"
        problem={undefined}
        attempt={problem}
        onSubmit={send}
        buttons={
          <>
            <button type="submit" className="primary" disabled={call.isPending}>
              Read it
            </button>
            {call.isPending && (
              <button type="button" onClick={call.stop}>
                Stop
              </button>
            )}
          </>
        }
      >
        <Field
          label="URI"
          hint={isTemplate ? 'A template: put a value in place of each part in braces.' : undefined}
          problem={problem}
        >
          {(control) => (
            <input
              {...control}
              className="code"
              autoComplete="off"
              spellCheck={false}
              value={uri}
              onChange={(event) => setUri(event.target.value)}
            />
          )}
        </Field>
      </Form>
      <section aria-labelledby={`${id}-result`} className="result" aria-busy={call.isPending}>
        <h4 id={`${id}-result`}>Contents</h4>
        {call.isPending && (
          <p className="loading" role="status">
            Waiting for the server…
          </p>
        )}
        {call.error !== null && <CallFailure error={call.error} ids={ids} />}
        {call.data !== undefined && (
          <>
            {call.data.contents.length === 0 && <p className="hint">It is empty.</p>}
            <ContentBlocks blocks={call.data.contents.map((one) => readResourceContents(one))} />
            <RawJson title="Raw result (JSON)" value={call.data} />
          </>
        )}
        {!call.isPending && call.error === null && call.data === undefined && (
          <p className="hint">Not read yet.</p>
        )}
      </section>
      {found !== undefined && (
        <RawJson title="The entry as the server sent it (JSON)" value={found} />
      )}
    </article>
  );
}

function uriProblem(uri: string, isTemplate: boolean): string | undefined {
  if (uri.trim() === '') return 'Enter the URI of a resource.';
  if (isTemplate && /[{}]/.test(uri)) return 'Put a value in place of each part in braces.';
  return undefined;
}
