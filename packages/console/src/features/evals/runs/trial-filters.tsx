/**
 * Filters for a run's trials. They are stored in the page's address, so that the address can be
 * shared.
 */
import { stages, stageWords } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSettled } from '../../../kit/data/use-settled.ts';
import type { RunIds } from '../data/eval-runs.ts';
import {
  isFiltered,
  type RunSearch,
  readRunSearch,
  shownResults,
  shownResultWords,
} from './run-search.ts';
import type { CaseChoice } from './stage-map-links.ts';

export function TrialFilters(props: {
  ids: RunIds;
  search: RunSearch;
  cases: readonly CaseChoice[];
  models: readonly string[];
}) {
  const { ids, search, cases, models } = props;
  const navigate = useNavigate();
  const put = (changed: Readonly<Record<string, string>>) =>
    void navigate({
      to: '/projects/$projectId/runs/$runId',
      params: ids,
      search: readRunSearch({ ...search, ...changed }),
      replace: true,
      resetScroll: false,
    });
  return (
    <search className="trial-filters" aria-label="Filter the trials">
      <TextFilter text={search.text ?? ''} onText={(text) => put({ text })} />
      <Choice
        label="Result"
        value={search.result ?? 'notPassed'}
        options={shownResults.map((one) => [one, shownResultWords[one]])}
        onChoose={(result) => put({ result })}
      />
      <Choice
        label="Stage"
        value={search.stage ?? ''}
        options={[['', 'any'], ...stages.map((one) => [one, stageWords[one]] as const)]}
        onChoose={(stage) => put({ stage })}
      />
      {(cases.length > 1 || search.case !== undefined) && (
        <Choice
          label="Case"
          value={search.case ?? ''}
          options={[['', 'any'], ...cases.map(({ id, name }) => [id, name] as const)]}
          onChoose={(one) => put({ case: one })}
        />
      )}
      {(models.length > 1 || search.model !== undefined) && (
        <Choice
          label="Model"
          value={search.model ?? ''}
          options={[['', 'any'], ...models.map((one) => [one, one] as const)]}
          onChoose={(model) => put({ model })}
        />
      )}
      {isFiltered(search) && (
        <button
          type="button"
          className="small"
          onClick={() => put({ text: '', result: '', stage: '', case: '', model: '' })}
        >
          Clear
        </button>
      )}
    </search>
  );
}

/** Writes the text to the page's address after a short pause in typing. */
function TextFilter(props: { text: string; onText: (text: string) => void }) {
  const { text, onText } = props;
  const [typed, setTyped] = useState(text);
  const settled = useSettled(typed.trim());
  /** The last text that this field wrote to the page's address or read from it. */
  const lastText = useRef(text);
  const tell = useEffectEvent((words: string) => {
    if (words === lastText.current) return;
    lastText.current = words;
    onText(words);
  });
  useEffect(() => tell(settled), [settled]);
  // The field takes the text of the address only if something else changed the address. The field's
  // own text arrives here with a delay, when the user may have typed more.
  useEffect(() => {
    if (text === lastText.current) return;
    lastText.current = text;
    setTyped(text);
  }, [text]);
  return (
    <label className="text-filter">
      <span>Text</span>
      <input
        type="search"
        placeholder="Title, error or call"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (typed === '') event.currentTarget.blur();
          else setTyped('');
        }}
      />
    </label>
  );
}

function Choice(props: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  onChoose: (value: string) => void;
}) {
  const isKnown = props.options.some(([value]) => value === props.value);
  return (
    <label>
      <span>{props.label}</span>
      <select value={props.value} onChange={({ target }) => props.onChoose(target.value)}>
        {!isKnown && <option value={props.value}>{props.value}</option>}
        {props.options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
