import './what-if.css';
import { cleanText } from '@proofmark/domain';
import { RawJson } from '../../../kit/contents/raw-json.tsx';
import { Checkbox, Field } from '../../../kit/field.tsx';
import { draftOfTool, isNamed, type ListedTool, type ToolDraft } from './overlay-draft.ts';

export function OverlayFields(props: {
  listed: readonly ListedTool[];
  drafts: readonly ToolDraft[];
  onChange: (drafts: ToolDraft[]) => void;
}) {
  const { listed, drafts, onChange } = props;
  const chosen = (tool: ListedTool) =>
    drafts.some((draft) => isNamed(draft.tool, tool.serverName, tool.name));
  const isOneServer = new Set(listed.map(({ serverName }) => serverName)).size === 1;
  return (
    <>
      {drafts.map((draft, at) => (
        <ToolFields
          key={`${draft.tool.serverName}\n${draft.tool.name}`}
          draft={draft}
          onChange={(next) => onChange(drafts.map((one, index) => (index === at ? next : one)))}
          onLeaveOut={() => onChange(drafts.filter((_, index) => index !== at))}
        />
      ))}
      {listed.some((tool) => !chosen(tool)) && (
        <Field label={drafts.length === 0 ? 'Tool' : 'Another tool'}>
          {(control) => (
            <select
              {...control}
              value=""
              onChange={({ target }) => {
                const tool = listed[Number(target.value)];
                if (tool !== undefined) onChange([...drafts, draftOfTool(tool)]);
              }}
            >
              <option value="">Choose a tool…</option>
              {listed.map(
                (tool, index) =>
                  !chosen(tool) && (
                    <option key={`${tool.serverName}\n${tool.name}`} value={index}>
                      {cleanText(
                        isOneServer ? tool.name : `${tool.serverName}: ${tool.name}`,
                        false,
                      )}
                    </option>
                  ),
              )}
            </select>
          )}
        </Field>
      )}
    </>
  );
}

function ToolFields(props: {
  draft: ToolDraft;
  onChange: (draft: ToolDraft) => void;
  onLeaveOut: () => void;
}) {
  const { draft, onChange } = props;
  const { tool, kept } = draft;
  const name = cleanText(tool.name, false);
  return (
    <fieldset className="overlay-tool">
      <legend>
        <code>{name}</code>{' '}
        <span className="hint">
          {'of '}
          <bdi>{cleanText(tool.serverName, false)}</bdi>
        </span>
      </legend>
      {!draft.hidden && (
        <>
          <Field label={`Description of ${name}`}>
            {(control) => (
              <textarea
                {...control}
                rows={4}
                value={draft.description}
                onChange={({ target }) => onChange({ ...draft, description: target.value })}
              />
            )}
          </Field>
          <Field label={`Title of ${name}`}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                value={draft.title}
                onChange={({ target }) => onChange({ ...draft, title: target.value })}
              />
            )}
          </Field>
          {tool.parameters.length > 0 && <RenameFields draft={draft} onChange={onChange} />}
          {Object.entries(kept).map(([what, value]) => (
            <RawJson key={what} title={`The overlay also states ${what} (JSON)`} value={value} />
          ))}
        </>
      )}
      <Checkbox
        label={`Hide ${name} from models`}
        checked={draft.hidden}
        onChange={(hidden) => onChange({ ...draft, hidden })}
      />
      <button type="button" className="small" onClick={props.onLeaveOut}>
        {`Leave ${name} as it is`}
      </button>
    </fieldset>
  );
}

function RenameFields(props: { draft: ToolDraft; onChange: (draft: ToolDraft) => void }) {
  const { draft, onChange } = props;
  const { parameters } = draft.tool;
  return (
    <details className="overlay-names" open={Object.keys(draft.rename).length > 0}>
      <summary>Names of its parameters</summary>
      {parameters.map((own) => (
        <Field key={own} label={cleanText(own, false)}>
          {(control) => (
            <input
              {...control}
              className="code"
              autoComplete="off"
              placeholder={own}
              value={draft.rename[own] ?? ''}
              onChange={({ target }) =>
                onChange({ ...draft, rename: { ...draft.rename, [own]: target.value } })
              }
            />
          )}
        </Field>
      ))}
    </details>
  );
}
