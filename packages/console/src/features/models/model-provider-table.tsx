import type { ModelProviderEntry } from '@proofmark/contract';
import { useChange } from '../../kit/data/operations.ts';
import { modelWords, providerKindWords, providerSourceWords } from './provider-words.ts';

export interface ProviderTableProps {
  organizationId: string;
  onEdit: (entry: ModelProviderEntry) => void;
  onDelete: (entry: ModelProviderEntry) => void;
}

export function ModelProviderTable(
  props: ProviderTableProps & { providers: readonly ModelProviderEntry[] },
) {
  const { providers, ...rest } = props;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Provider</th>
          <th scope="col">Named by</th>
          <th scope="col">Key</th>
          <th scope="col">Models</th>
          <th scope="col">
            <span className="unseen">Test, edit and delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {providers.map((entry) => (
          <ProviderRow key={`${entry.source} ${entry.name}`} entry={entry} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

function ProviderRow({ entry, ...props }: ProviderTableProps & { entry: ModelProviderEntry }) {
  const { name, kind, source, baseUrl, isInForce } = entry;
  return (
    <tr className={isInForce ? undefined : 'over'}>
      <th scope="row">
        {name}
        <p className="hint">{providerKindWords[kind]}</p>
        {baseUrl !== null && <p className="hint code">{baseUrl}</p>}
      </th>
      <td data-label="Named by">
        <div>
          {providerSourceWords[source]}
          {!isInForce && <p className="hint">Not used: the operator has another of this name.</p>}
        </div>
      </td>
      <td data-label="Key">{entry.hasKey ? 'set' : 'none'}</td>
      <td data-label="Models">{modelWords(entry)}</td>
      <td data-label="">
        <div className="actions row-actions">
          {isInForce && entry.models.length > 0 && (
            <TestProvider organizationId={props.organizationId} name={name} />
          )}
          {source === 'organization' && (
            <>
              <button
                type="button"
                className="small"
                aria-label={`Edit ${name}`}
                onClick={() => props.onEdit(entry)}
              >
                Edit
              </button>
              <button
                type="button"
                className="small"
                aria-label={`Delete ${name}`}
                onClick={() => props.onDelete(entry)}
              >
                Delete
              </button>
            </>
          )}
        </div>
      </td>
    </tr>
  );
}

function TestProvider(props: { organizationId: string; name: string }) {
  const test = useChange(
    'testModelProvider',
    (model: string | undefined) => ({
      organizationId: props.organizationId,
      providerName: props.name,
      body: { ...(model !== undefined && { model }) },
    }),
    { readAgain: [] },
  );
  return (
    <>
      <button
        type="button"
        className="small"
        aria-label={`Test ${props.name}`}
        disabled={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        Test
      </button>
      <p role="status" className={test.data?.ok === false ? 'problem' : 'hint'}>
        {test.isPending && 'Asking…'}
        {test.data !== undefined &&
          !test.isPending &&
          (test.data.ok ? `${test.data.model} answered.` : test.data.message)}
        {test.error?.message}
      </p>
    </>
  );
}
