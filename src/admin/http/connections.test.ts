import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { boundConnections } from './connections.js';

class FakeSocket extends EventEmitter {
  destroyed = false;

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

describe('the connections of the admin port', () => {
  const setUp = () => {
    const server = new EventEmitter();
    boundConnections(server as Server, { all: 4, perAddress: 2 });
    return (address: string) => {
      const socket = new FakeSocket(address);
      server.emit('connection', socket);
      return socket;
    };
  };
  const areOpen = (sockets: FakeSocket[]) => sockets.map(({ destroyed }) => !destroyed);

  it('are limited for each address, so that one address does not lock out others', () => {
    const connect = setUp();
    const ofOne = [1, 2, 3].map(() => connect('10.0.0.1'));
    expect(areOpen([...ofOne, connect('10.0.0.2')])).toEqual([true, true, false, true]);
  });

  it('are bounded for each network of IPv6, which one machine may have all addresses of', () => {
    const connect = setUp();
    const ofOne = ['2001:db8::1', '2001:db8:0:0:9::1', '2001:db8::ffff:2'].map(connect);
    expect(areOpen([...ofOne, connect('2001:db8:0:1::1')])).toEqual([true, true, false, true]);
    const mapped = setUp();
    const byIpv4 = ['::ffff:10.0.0.1', '::ffff:10.0.0.2', '::ffff:10.0.0.3'].map(mapped);
    expect(areOpen(byIpv4)).toEqual([true, true, true]);
  });

  it('are limited all together', () => {
    const connect = setUp();
    const sockets = [1, 2, 3, 4, 5].map((host) => connect(`10.0.0.${host}`));
    expect(areOpen(sockets)).toEqual([true, true, true, true, false]);
  });

  it('may be opened again once others are closed', () => {
    const connect = setUp();
    const [first] = [1, 2].map(() => connect('10.0.0.1'));
    expect(connect('10.0.0.1').destroyed).toBe(true);
    first!.destroy();
    expect(areOpen([connect('10.0.0.1'), connect('10.0.0.1')])).toEqual([true, false]);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('are not limited for this machine (%s)', (address) => {
    const connect = setUp();
    const local = Array.from({ length: 9 }, () => connect(address));
    expect(areOpen([...local, connect('10.0.0.1')])).toEqual(Array(10).fill(true));
  });
});
