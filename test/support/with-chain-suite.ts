import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BehindControlPlane, type ControlPlane } from './behind-control-plane.js';
import { chunk, landedLog } from './chat.js';
import { COMPLETION } from './gateway.js';
import { jsonReply } from './replies.js';

/** What an Envoy with the chain does, whatever made its configuration of our manifests. */
export function describeWithChain(
  name: string,
  missing: string | null,
  controlPlane: Omit<ControlPlane, 'chain'>,
): void {
  describe.skipIf(missing !== null)(`${name}${missing === null ? '' : ` (${missing})`}`, () => {
    let gateway: BehindControlPlane;

    beforeAll(async () => {
      gateway = await BehindControlPlane.start({ ...controlPlane, chain: true }, {});
    });
    afterAll(() => gateway?.stop());

    it('serves an endpoint with one model, and a stream', async () => {
      gateway.provider.enqueue(jsonReply(COMPLETION), (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${chunk({ content: 'On its way.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
      });
      expect((await gateway.ask()).status).toBe(200);
      const { status, text } = await gateway.ask({ stream: true });
      expect(status).toBe(200);
      expect(text).toMatch(/On its way\.[\s\S]*\[DONE\]/);
    });

    it('tries the next model where one fails, and has both tries in one log', async () => {
      gateway.provider.enqueue(
        jsonReply({ error: { message: 'no' } }, { status: 500 }),
        jsonReply(COMPLETION),
      );
      const { status, id } = await gateway.ask({ model: 'chain' });
      expect(status).toBe(200);
      const { attempts } = await landedLog(gateway.sluice, id);
      expect(attempts.map(({ status }: { status: string }) => status)).toEqual(['server_error', 'success']);
    });

    it('brings feedback to the admin service', async () => {
      gateway.provider.always(jsonReply(COMPLETION));
      const { id } = await gateway.ask();
      expect(await gateway.giveFeedback(id)).toBe(200);
    });

    it('answers in the shape of the API where the engine is gone', async () => {
      await gateway.sluice.engine.kill();
      const { status, text } = await gateway.ask();
      expect([status, JSON.parse(text).error.code]).toEqual([503, 'engine_unavailable']);
    });
  });
}
