// Nothing is called from here: the target is linked for what it puts in front of Swift's Mutex.
#ifndef SEGMANCE_MUTEX_ANNOTATIONS_H
#define SEGMANCE_MUTEX_ANNOTATIONS_H
#endif
