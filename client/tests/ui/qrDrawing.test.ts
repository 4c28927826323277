import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawingOf } from '../../src/ui/qrDrawing';

test('only the size and the path of a code’s SVG are used', () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45" shape-rendering="crispEdges">'
    + '<rect width="45" height="45" fill="#fff"/><path fill="#000" d="M4 4h7v1H4zM14 4h1v1H14z"/></svg>';
  assert.deepEqual(drawingOf(picture), { side: 45, path: 'M4 4h7v1H4zM14 4h1v1H14z' });
  assert.equal(drawingOf('<svg onload="alert(1)"><path d="javascript:alert(1)"/></svg>'), null);
  assert.equal(drawingOf(null), null);
  assert.equal(drawingOf(''), null);
});
