/** Adds existing journeys to a swarm, so that they are run together. */
import { count } from '@proofmark/domain';
import { useState } from 'react';
import { CheckList } from '../../kit/check-list.tsx';
import { allBelow } from '../../kit/data/address-key.ts';
import { client } from '../../kit/data/client.ts';
import { useSeveral } from '../../kit/data/operations.ts';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { notify } from '../../kit/notice.tsx';
import type { SwarmIds } from './data/launch-wave.ts';
import { type Journey, useJourneys } from './data/swarms.ts';

export function AddJourneys(ids: SwarmIds) {
  const [isAsking, setIsAsking] = useState(false);
  const { data: journeys = [] } = useJourneys(ids.projectId);
  const others = journeys.filter(({ swarmId }) => swarmId !== ids.swarmId);
  if (others.length === 0) return null;
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        Add journeys
      </button>
      {isAsking && <Choose {...ids} journeys={others} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function Choose(props: SwarmIds & { journeys: readonly Journey[]; onClose: () => void }) {
  const { projectId, swarmId, journeys, onClose } = props;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const add = useSeveral(
    async () => {
      for (const journeyId of chosen) {
        await client.updateJourney({ projectId, journeyId, body: { swarmId } });
      }
      notify(`${count(chosen.length, 'journey')} added.`);
      onClose();
    },
    [allBelow('listJourneys', { projectId })],
    { isPartly: true },
  );
  return (
    <Modal title="Add journeys" onClose={onClose}>
      <Form
        label="Add journeys"
        problem={add.error?.message}
        attempt={add.error}
        onSubmit={() => chosen.length > 0 && !add.isPending && add.mutate()}
        buttons={
          <>
            <button
              type="submit"
              className="primary"
              disabled={chosen.length === 0 || add.isPending}
            >
              Add
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </>
        }
      >
        <CheckList
          legend="Journeys"
          none=""
          options={journeys.map(({ id, name, swarmId: held }) => ({
            id,
            name,
            hint: held === null ? undefined : 'moves here from another swarm',
          }))}
          chosen={chosen}
          onChange={setChosen}
        />
      </Form>
    </Modal>
  );
}
