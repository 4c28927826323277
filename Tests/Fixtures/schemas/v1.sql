-- A library that a server with schema 1 wrote: the sample routine, a routine with a part and a move,
-- an edit of its notes, a deleted routine and a setting.
BEGIN TRANSACTION;
CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "counter" VALUES('clock',117655941388566528);
INSERT INTO "counter" VALUES('seq',29);
CREATE TABLE job (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  message TEXT,
  subject TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  endedAt INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO "job" VALUES('01a1ff74-55dc-7b34-9d9f-e63cd99ff89c','import','done',NULL,'01a1ff74-55dc-7d7c-886a-c192b752bee5',1795287176668,1795287191598);
CREATE TABLE record (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  deletedAt INTEGER,
  fields TEXT NOT NULL CHECK (json_valid(fields)),
  stamps TEXT NOT NULL CHECK (json_valid(stamps)),
  PRIMARY KEY (type, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "record" VALUES('move','0193a5b0-0000-7000-8000-000000010004',27,1700000000004,NULL,'{"moveType":"0193a5b0-0000-7000-8000-000000010003","notes":"left, then right","part":"0193a5b0-0000-7000-8000-000000010002","position":"a","title":"Turn"}','{"moveType":"1700000000004-0000-0000abcd","notes":"1700000000005-0000-0000abcd","part":"1700000000004-0000-0000abcd","position":"1700000000004-0000-0000abcd","title":"1700000000004-0000-0000abcd"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-70d1-a5b9-cb35bd2f63cd',20,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-7a1e-98c8-4b077a96d1d6","notes":"Smaller with each bar.","part":"01a1ff74-55e9-78dc-8d68-1ff6e5d31e88","position":"V","title":"Walk the circle"}','{"moveType":"1795287176681-000f-19a0ed93","notes":"1795287176681-000f-19a0ed93","part":"1795287176681-000f-19a0ed93","position":"1795287176681-000f-19a0ed93","title":"1795287176681-000f-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-70f4-bb22-18298dc62b13',17,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-7a1e-98c8-4b077a96d1d6","part":"01a1ff74-55e9-7ee4-87ef-38da940d98b2","position":"X","title":"Slide to the right"}','{"moveType":"1795287176681-000c-19a0ed93","notes":"1795287176681-000c-19a0ed93","part":"1795287176681-000c-19a0ed93","position":"1795287176681-000c-19a0ed93","title":"1795287176681-000c-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-72b1-8f98-1f7aad55fffc',7,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-7a1e-98c8-4b077a96d1d6","notes":"Eight slow counts, eyes on the far corner.","part":"01a1ff74-55e9-7546-b4ea-8e309361165f","position":"V","title":"Walk in from the left"}','{"moveType":"1795287176681-0002-19a0ed93","notes":"1795287176681-0002-19a0ed93","part":"1795287176681-0002-19a0ed93","position":"1795287176681-0002-19a0ed93","title":"1795287176681-0002-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-7311-98a8-6138642fd533',8,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-783e-95d2-65ad34653cbc","notes":"Hold until the bass comes in.","part":"01a1ff74-55e9-7546-b4ea-8e309361165f","position":"W","title":"Lift the lantern"}','{"moveType":"1795287176681-0003-19a0ed93","notes":"1795287176681-0003-19a0ed93","part":"1795287176681-0003-19a0ed93","position":"1795287176681-0003-19a0ed93","title":"1795287176681-0003-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-7346-b37d-6ef7ee836c62',21,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-76b9-b64e-fcaed84fe553","part":"01a1ff74-55e9-78dc-8d68-1ff6e5d31e88","position":"W","title":"Last turn"}','{"moveType":"1795287176681-0010-19a0ed93","notes":"1795287176681-0010-19a0ed93","part":"1795287176681-0010-19a0ed93","position":"1795287176681-0010-19a0ed93","title":"1795287176681-0010-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-75cc-84b3-a9405f624f07',10,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-7a1e-98c8-4b077a96d1d6","part":"01a1ff74-55e9-7916-9ba9-78201e55e116","position":"V","title":"Side step, side step"}','{"moveType":"1795287176681-0005-19a0ed93","notes":"1795287176681-0005-19a0ed93","part":"1795287176681-0005-19a0ed93","position":"1795287176681-0005-19a0ed93","title":"1795287176681-0005-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-76e9-a6c9-0f6fa4245086',15,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-7a1e-98c8-4b077a96d1d6","notes":"Land softly, knees over the toes.","part":"01a1ff74-55e9-7ee4-87ef-38da940d98b2","position":"V","title":"Big jump on the one"}','{"moveType":"1795287176681-000a-19a0ed93","notes":"1795287176681-000a-19a0ed93","part":"1795287176681-000a-19a0ed93","position":"1795287176681-000a-19a0ed93","title":"1795287176681-000a-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-772e-a518-f3b866c4e4f2',22,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-783e-95d2-65ad34653cbc","notes":"Stay until the last chord has gone.","part":"01a1ff74-55e9-78dc-8d68-1ff6e5d31e88","position":"X","title":"Put the lantern down"}','{"moveType":"1795287176681-0011-19a0ed93","notes":"1795287176681-0011-19a0ed93","part":"1795287176681-0011-19a0ed93","position":"1795287176681-0011-19a0ed93","title":"1795287176681-0011-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-79e8-82ff-ada719bce2bb',11,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-76b9-b64e-fcaed84fe553","notes":"Weight on the right foot before turning.","part":"01a1ff74-55e9-7916-9ba9-78201e55e116","position":"W","title":"Half turn to the back"}','{"moveType":"1795287176681-0006-19a0ed93","notes":"1795287176681-0006-19a0ed93","part":"1795287176681-0006-19a0ed93","position":"1795287176681-0006-19a0ed93","title":"1795287176681-0006-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-7cad-ad38-bc2ef41f4acc',13,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-783e-95d2-65ad34653cbc","notes":"One count only.","part":"01a1ff74-55e9-7916-9ba9-78201e55e116","position":"Y","title":"Look over the shoulder"}','{"moveType":"1795287176681-0008-19a0ed93","notes":"1795287176681-0008-19a0ed93","part":"1795287176681-0008-19a0ed93","position":"1795287176681-0008-19a0ed93","title":"1795287176681-0008-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-7da7-9551-9cbf5a6a058b',12,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-7a1e-98c8-4b077a96d1d6","part":"01a1ff74-55e9-7916-9ba9-78201e55e116","position":"X","title":"Three steps forward"}','{"moveType":"1795287176681-0007-19a0ed93","notes":"1795287176681-0007-19a0ed93","part":"1795287176681-0007-19a0ed93","position":"1795287176681-0007-19a0ed93","title":"1795287176681-0007-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-7e7c-993c-03513fc379c4',16,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-76b9-b64e-fcaed84fe553","notes":"Spot the lantern.","part":"01a1ff74-55e9-7ee4-87ef-38da940d98b2","position":"W","title":"Double turn"}','{"moveType":"1795287176681-000b-19a0ed93","notes":"1795287176681-000b-19a0ed93","part":"1795287176681-000b-19a0ed93","position":"1795287176681-000b-19a0ed93","title":"1795287176681-000b-19a0ed93"}');
INSERT INTO "record" VALUES('move','01a1ff74-55e9-7ff4-bd87-71fd143da630',18,1795287176681,NULL,'{"moveType":"01a1ff74-55e1-76b9-b64e-fcaed84fe553","part":"01a1ff74-55e9-7ee4-87ef-38da940d98b2","position":"Y","title":"Double turn back"}','{"moveType":"1795287176681-000d-19a0ed93","notes":"1795287176681-000d-19a0ed93","part":"1795287176681-000d-19a0ed93","position":"1795287176681-000d-19a0ed93","title":"1795287176681-000d-19a0ed93"}');
INSERT INTO "record" VALUES('moveType','0193a5b0-0000-7000-8000-000000010003',26,1700000000003,NULL,'{"abbreviation":"S","colour":"#aa3300","name":"Spin"}','{"abbreviation":"1700000000003-0000-0000abcd","colour":"1700000000003-0000-0000abcd","name":"1700000000003-0000-0000abcd"}');
INSERT INTO "record" VALUES('moveType','01a1ff74-55e1-76b9-b64e-fcaed84fe553',3,1795287176673,NULL,'{"abbreviation":"TU","colour":"#7bc96f","name":"Turn"}','{"abbreviation":"1795287176673-0001-19a0ed93","colour":"1795287176673-0001-19a0ed93","name":"1795287176673-0001-19a0ed93"}');
INSERT INTO "record" VALUES('moveType','01a1ff74-55e1-783e-95d2-65ad34653cbc',4,1795287176673,NULL,'{"abbreviation":"FR","colour":"#b48cf2","name":"Freeze"}','{"abbreviation":"1795287176673-0002-19a0ed93","colour":"1795287176673-0002-19a0ed93","name":"1795287176673-0002-19a0ed93"}');
INSERT INTO "record" VALUES('moveType','01a1ff74-55e1-7a1e-98c8-4b077a96d1d6',2,1795287176673,NULL,'{"abbreviation":"ST","colour":"#f2a93b","name":"Step"}','{"abbreviation":"1795287176673-0000-19a0ed93","colour":"1795287176673-0000-19a0ed93","name":"1795287176673-0000-19a0ed93"}');
INSERT INTO "record" VALUES('part','0193a5b0-0000-7000-8000-000000010002',25,1700000000002,NULL,'{"position":"a","routine":"0193a5b0-0000-7000-8000-000000010001","title":"One"}','{"position":"1700000000002-0000-0000abcd","routine":"1700000000002-0000-0000abcd","title":"1700000000002-0000-0000abcd"}');
INSERT INTO "record" VALUES('part','01a1ff74-55e9-7546-b4ea-8e309361165f',6,1795287176681,NULL,'{"endFrame":409600,"position":"V","routine":"01a1ff74-55e9-7c7f-b13c-57941e100ff9","startFrame":0,"title":"Intro","track":"01a1ff74-55dc-7d7c-886a-c192b752bee5"}','{"endFrame":"1795287176681-0001-19a0ed93","position":"1795287176681-0001-19a0ed93","routine":"1795287176681-0001-19a0ed93","startFrame":"1795287176681-0001-19a0ed93","title":"1795287176681-0001-19a0ed93","track":"1795287176681-0001-19a0ed93"}');
INSERT INTO "record" VALUES('part','01a1ff74-55e9-78dc-8d68-1ff6e5d31e88',19,1795287176681,NULL,'{"endFrame":2867200,"position":"Y","routine":"01a1ff74-55e9-7c7f-b13c-57941e100ff9","startFrame":2048000,"title":"Finale","track":"01a1ff74-55dc-7d7c-886a-c192b752bee5"}','{"endFrame":"1795287176681-000e-19a0ed93","position":"1795287176681-000e-19a0ed93","routine":"1795287176681-000e-19a0ed93","startFrame":"1795287176681-000e-19a0ed93","title":"1795287176681-000e-19a0ed93","track":"1795287176681-000e-19a0ed93"}');
INSERT INTO "record" VALUES('part','01a1ff74-55e9-7916-9ba9-78201e55e116',9,1795287176681,NULL,'{"endFrame":1228800,"position":"W","routine":"01a1ff74-55e9-7c7f-b13c-57941e100ff9","startFrame":409600,"title":"Verse","track":"01a1ff74-55dc-7d7c-886a-c192b752bee5"}','{"endFrame":"1795287176681-0004-19a0ed93","position":"1795287176681-0004-19a0ed93","routine":"1795287176681-0004-19a0ed93","startFrame":"1795287176681-0004-19a0ed93","title":"1795287176681-0004-19a0ed93","track":"1795287176681-0004-19a0ed93"}');
INSERT INTO "record" VALUES('part','01a1ff74-55e9-7ee4-87ef-38da940d98b2',14,1795287176681,NULL,'{"endFrame":2048000,"position":"X","routine":"01a1ff74-55e9-7c7f-b13c-57941e100ff9","startFrame":1228800,"title":"Chorus","track":"01a1ff74-55dc-7d7c-886a-c192b752bee5"}','{"endFrame":"1795287176681-0009-19a0ed93","position":"1795287176681-0009-19a0ed93","routine":"1795287176681-0009-19a0ed93","startFrame":"1795287176681-0009-19a0ed93","title":"1795287176681-0009-19a0ed93","track":"1795287176681-0009-19a0ed93"}');
INSERT INTO "record" VALUES('routine','0193a5b0-0000-7000-8000-000000010001',24,1700000000001,NULL,'{"subtitle":"رقصة","title":"Swan \"and\" more ✨"}','{"subtitle":"1700000000001-0000-0000abcd","title":"1700000000001-0000-0000abcd"}');
INSERT INTO "record" VALUES('routine','0193a5b0-0000-7000-8000-000000010005',28,1700000000006,1700000000007,'{"title":"Gone"}','{"deletedAt":"1700000000007-0000-0000abcd","title":"1700000000006-0000-0000abcd"}');
INSERT INTO "record" VALUES('routine','01a1ff74-55e9-7c7f-b13c-57941e100ff9',5,1795287176681,NULL,'{"subtitle":"A sample routine to try everything with","title":"Lantern Street"}','{"subtitle":"1795287176681-0000-19a0ed93","title":"1795287176681-0000-19a0ed93"}');
INSERT INTO "record" VALUES('setting','theme',29,1700000000008,NULL,'{"value":"dark"}','{"value":"1700000000008-0000-0000abcd"}');
INSERT INTO "record" VALUES('track','01a1ff74-55dc-7d7c-886a-c192b752bee5',23,1795287176669,NULL,'{"fileName":"Lantern Street.wav","lengthFrames":2867200,"loudness":-14.74,"sha256":"d7f3341b5081837cd97a6d85873935c5c64b58aff398de8ce708e32505ac0c2d","size":11468844,"state":"ready","title":"Lantern Street"}','{"deletedAt":"1795287176669-0000-19a0ed93","fileName":"1795287176669-0000-19a0ed93","lengthFrames":"1795287191598-0000-19a0ed93","loudness":"1795287191598-0000-19a0ed93","problem":"1795287191598-0000-19a0ed93","sha256":"1795287176669-0000-19a0ed93","size":"1795287176669-0000-19a0ed93","state":"1795287191598-0000-19a0ed93","title":"1795287176669-0000-19a0ed93"}');
CREATE UNIQUE INDEX record_seq ON record (seq);
CREATE INDEX record_track ON record (json_extract(fields, '$.track'))
  WHERE json_extract(fields, '$.track') IS NOT NULL;
CREATE INDEX record_sha256 ON record (json_extract(fields, '$.sha256'))
  WHERE json_extract(fields, '$.sha256') IS NOT NULL;
CREATE INDEX record_deleted ON record (deletedAt) WHERE deletedAt IS NOT NULL;
CREATE INDEX job_state ON job (state, createdAt);
COMMIT;
PRAGMA user_version = 1;
