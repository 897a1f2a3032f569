import {
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb';
import { describe, expect, it } from 'vitest';
import { mayPass } from './become-primary.js';

const answered = (code: number, message: string) => new MongoServerError({ code, message });

describe('a connection to a starting mongod is tried again', () => {
  it.each([
    ['a connection that broke', new MongoNetworkError('connection 1 closed')],
    ['no answer on a busy machine', new MongoServerSelectionError('timed out', {} as TopologyDescription)],
    ['a change of its address that is under way', answered(109, 'Cannot run replSetReconfig')],
    ['a set that is not read yet', answered(94, 'no replset config has been received')],
    ['a member that is no primary yet', answered(10107, 'not primary')],
  ])('after %s', (_, error) => {
    expect(mayPass(error)).toBe(true);
  });

  it.each([
    ['a wrong password', answered(18, 'Authentication failed.')],
    ['a configuration that it refuses', answered(93, 'Our replica set configuration is invalid')],
    ['a fault of ours', new TypeError('x is undefined')],
  ])('but not after %s', (_, error) => {
    expect(mayPass(error)).toBe(false);
  });
});
